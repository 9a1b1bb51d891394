/// <reference lib="webworker" />
/** Keeps the app on the phone: the page, its files and nothing that is about a guest. The list comes with the script. */
const worker = self as unknown as ServiceWorkerGlobalScope & { FOYER_DOOR: { version: string; files: string[] } }
const { version, files } = worker.FOYER_DOOR
const CACHE = `foyer-door-${version}`

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) =>
        cache.addAll(files.map((file) => new Request(file, { cache: 'reload', headers: acceptOf(file) }))),
      ),
  )
})

const acceptOf = (file: string): Record<string, string> => (file === '/door' ? { accept: 'text/html' } : {})

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name.startsWith('foyer-door-') && name !== CACHE).map((name) => caches.delete(name)),
        ),
      )
      .then(() => worker.clients.claim()),
  )
})

/** Only when the app says so: it knows whether somebody is scanning. */
worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting()
})

/** The app is always the one on the phone, with a line or without; everything else is none of our business. */
worker.addEventListener('fetch', (event) => {
  const { method, url, mode } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return
  const isPage = mode === 'navigate' && (pathname === '/door' || pathname === '/door/')
  if (!isPage && !files.includes(pathname)) return
  event.respondWith(
    caches
      .open(CACHE)
      .then((cache) => cache.match(isPage ? '/door' : pathname, { ignoreVary: true }))
      .then((kept) => kept ?? fetch(event.request)),
  )
})
