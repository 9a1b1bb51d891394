import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { gate } from '../../api/api.ts'
import { line } from '../../api/line.ts'
import { readSignedIn } from '../../api/session.ts'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './frame.module.css'
import { hearSignIns } from './sign-in-channel.ts'
import { frameWords } from './words.ts'

/** What the person must know of the line, the session and the version. Nothing is taken away from under their hands. */
export const Banners = () => {
  const isThere = useSyncExternalStore(line.listen, () => line.isThere)
  const isSignedOut = useSyncExternalStore(gate.listen, () => gate.isClosed)
  const isOutdated = useOutdated()
  return (
    <div aria-live="polite">
      {isOutdated && <UpdatedBanner />}
      {isSignedOut && <SignedOutBanner />}
      {!isThere && <OfflineBanner />}
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
      const signedIn = await readSignedIn()
      if (signedIn === membership_id) gate.open()
      else setIsOther(signedIn !== null)
    }
    const onReturn = () => void look()
    window.addEventListener('focus', onReturn)
    const leave = hearSignIns(onReturn)
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

const OfflineBanner = () => {
  const words = useWords(frameWords)
  const queries = useQueryClient()
  useEffect(() => {
    const probe = async () => {
      const answer = await fetch('/healthz').catch(() => null)
      if (!answer) return
      line.set(true)
      await queries.invalidateQueries()
    }
    const timer = setInterval(() => void probe(), PROBE_MS)
    return () => clearInterval(timer)
  }, [queries])
  return <Banner>{words.offline}</Banner>
}

/** A room whose code cannot be loaded belongs to a build that is no more. */
const useOutdated = () => {
  const [isOutdated, setIsOutdated] = useState(false)
  useEffect(() => {
    const notice = () => setIsOutdated(true)
    window.addEventListener('vite:preloadError', notice)
    return () => window.removeEventListener('vite:preloadError', notice)
  }, [])
  return isOutdated
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
