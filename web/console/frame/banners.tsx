import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { api, sessionGate } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { connectionState } from '../../api/line.ts'
import { readCurrentSession } from '../../api/session.ts'
import { useFormat } from '../../ui/format.ts'
import { isManager, useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './frame.module.css'
import { listenForSignIns } from './sign-in-channel.ts'
import { frameWords } from './words.ts'

/** What the person must know of the line, the session and the version. Nothing is taken away from under their hands. */
export const Banners = () => {
  const isThere = useSyncExternalStore(connectionState.listen, () => connectionState.isThere)
  const isSignedOut = useSyncExternalStore(sessionGate.listen, () => sessionGate.isClosed)
  const isOutdated = useOutdated(isThere)
  const { role } = useSession()
  return (
    <div aria-live="polite">
      {isOutdated && <UpdatedBanner />}
      {isSignedOut && <SignedOutBanner />}
      {!isThere && <OfflineBanner />}
      {isManager(role) && <CertificateBanner />}
    </div>
  )
}

const Banner = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className={classes.banner}>
    <span>{children}</span>
    {action}
  </div>
)

/** Signing in happens in another window, so that this one keeps what was typed; it goes on where it stood. */
const SignedOutBanner = () => {
  const words = useWords(frameWords)
  const { membership_id } = useSession()
  const [isOther, setIsOther] = useState(false)

  useEffect(() => {
    const look = async () => {
      const session = await readCurrentSession()
      if (session?.membership_id === membership_id) sessionGate.open()
      else setIsOther(session !== null)
    }
    const onReturn = () => void look()
    window.addEventListener('focus', onReturn)
    const leave = listenForSignIns(onReturn)
    return () => {
      window.removeEventListener('focus', onReturn)
      leave()
    }
  }, [membership_id])

  if (isOther) {
    return <Banner action={<ReloadButton />}>{words.otherPerson}</Banner>
  }
  return (
    <Banner
      action={
        <Button
          size="compact-md"
          component="a"
          href="/sign_in?return_to=%2Fconsole%2Fsigned-in"
          target="_blank"
          // The window may close itself only where this one has opened it.
          rel="opener"
        >
          {words.signInAgain}
        </Button>
      }
    >
      {words.signedOut}
    </Banner>
  )
}

const PROBE_MS = 3_000

/** Whether anything answers, however it is. */
const isServerThere = async () => (await fetch('/healthz').catch(() => null)) !== null

const OfflineBanner = () => {
  const words = useWords(frameWords)
  const queries = useQueryClient()
  useEffect(() => {
    const probe = async () => {
      if (!(await isServerThere())) return
      connectionState.set(true)
      await queries.invalidateQueries()
    }
    const timer = setInterval(() => void probe(), PROBE_MS)
    return () => clearInterval(timer)
  }, [queries])
  return <Banner>{words.offline}</Banner>
}

const LOOK_MS = 5 * 60_000

/**
 * Whether the server has another build by now: looked at every few minutes, when somebody comes back to the page, and when
 * the line is there again. A room whose code cannot be loaded says the same, unless there is no line at all.
 */
const useOutdated = (isThere: boolean) => {
  const { build } = useSession()
  const [isOutdated, setIsOutdated] = useState(false)
  useEffect(() => {
    const notice = () => setIsOutdated(true)
    const look = async () => {
      if (document.visibilityState === 'hidden') return
      const session = await readCurrentSession()
      if (session && session.build !== build) notice()
    }
    const onLook = () => void look()
    const seeWhy = async () => {
      if (await isServerThere()) notice()
      else connectionState.set(false)
    }
    const onCodeMissing = () => void seeWhy()
    const timer = setInterval(onLook, LOOK_MS)
    document.addEventListener('visibilitychange', onLook)
    window.addEventListener('vite:preloadError', onCodeMissing)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onLook)
      window.removeEventListener('vite:preloadError', onCodeMissing)
    }
  }, [build])

  const wasThere = useRef(isThere)
  useEffect(() => {
    const isBack = isThere && !wasThere.current
    wasThere.current = isThere
    const look = async () => {
      const session = isBack ? await readCurrentSession() : null
      if (session && session.build !== build) setIsOutdated(true)
    }
    void look()
  }, [isThere, build])
  return isOutdated
}

const DAY_MS = 24 * 60 * 60_000

/** A certificate takes days to get: whoever runs the venue hears of it before wallet passes stand still. */
const CertificateBanner = () => {
  const words = useWords(frameWords)
  const { date } = useFormat()
  const { data } = useQuery({
    queryKey: ['wallet'],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/wallet', { signal })),
    staleTime: DAY_MS,
  })
  const certificate = data?.apple
  if (!certificate || certificate.warning_days === null) return null
  const day = date(certificate.ends_at, 'UTC', 'day')
  return <Banner>{certificate.warning_days === 0 ? words.certificateEnded(day) : words.certificateEnds(day)}</Banner>
}

const UpdatedBanner = () => {
  const words = useWords(frameWords)
  return <Banner action={<ReloadButton />}>{words.updated}</Banner>
}

const ReloadButton = () => {
  const words = useWords(frameWords)
  return (
    <Button size="compact-md" onClick={() => location.reload()}>
      {words.reload}
    </Button>
  )
}
