/// <reference lib="webworker" />
/**
 * Shows what a person is told while no page of the console is open. It keeps nothing and answers no requests: the console
 * comes from the server. The door app has a worker of its own, with a scope of its own.
 */
const worker = self as unknown as ServiceWorkerGlobalScope

interface PushedNotification {
  id: string
  title: string
  url: string
}

worker.addEventListener('install', () => void worker.skipWaiting())
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

const readPushed = (event: PushEvent): PushedNotification | null => {
  try {
    return event.data?.json() as PushedNotification
  } catch {
    return null
  }
}

/** Every push shows something, since browsers take the right to it from those who stay silent. */
const show = async (pushed: PushedNotification | null) => {
  const windows = await worker.clients.matchAll({ type: 'window' })
  for (const page of windows) page.postMessage('notified')
  await worker.registration.showNotification(pushed?.title ?? 'Foyer', {
    tag: pushed?.id ?? 'foyer',
    data: pushed ? pathOf(pushed.url) : '/console/inbox',
  })
}

/** The same place as the inbox leads to. */
const pathOf = (url: string) =>
  new URL(url).pathname.replace(/^\/admin/, '/console').replace(/\/guest_requests$/, '/requests')

worker.addEventListener('push', (event) => event.waitUntil(show(readPushed(event))))

/** A page that is open already is used; what is typed in it is kept. */
const openPath = async (path: string) => {
  const [page] = await worker.clients.matchAll({ type: 'window' })
  if (!page) return worker.clients.openWindow(path)
  return (await page.navigate(path))?.focus()
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPath(event.notification.data as string))
})
