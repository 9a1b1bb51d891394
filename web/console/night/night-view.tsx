import { Badge, Button, Group, Progress, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { BackLink } from '../../ui/back-link.tsx'
import { useFormat } from '../../ui/format.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { Arrivals } from './arrivals.tsx'
import { Conflicts } from './conflicts.tsx'
import { Doors } from './doors.tsx'
import classes from './night.module.css'
import { eventQuery, nightQuery, useLiveNight, useServerTime, useWakeLock } from './queries.ts'
import { type DoorStates, type Event, type Night, doorStatesOf, isOver, paceOf } from './rules.ts'
import { nightWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/night')

/** One screen for whoever is in charge of an evening, in one hand and on a wall. */
export const NightView = () => {
  const words = useWords(nightWords)
  const { slug } = route.useParams()
  const event = useQuery(eventQuery(slug))
  const night = useQuery(nightQuery(slug))
  usePageTitle(words.tonight, event.data?.title)
  const failed = event.error ?? night.error
  return (
    <>
      <BackLink to="/events/$slug" params={{ slug }}>
        <span dir="auto">{event.data?.title ?? slug}</span>
      </BackLink>
      {event.data && night.data ? (
        <WholeNight event={event.data} night={night.data} />
      ) : failed ? (
        <ErrorState level={1} error={failed} onRetry={() => void Promise.all([event.refetch(), night.refetch()])} />
      ) : (
        <LoadingRows rows={4} height={120} />
      )}
    </>
  )
}

const WholeNight = ({ event, night }: { event: Event; night: Night }) => {
  const { isLive, samples, clockAheadMs } = useLiveNight(event.slug)
  const now = useServerTime(clockAheadMs)
  useWakeLock()
  const screen = useRef<HTMLDivElement>(null)
  const hasEnded = isOver(event, now)
  const states = doorStatesOf(night.devices, now)
  return (
    <div ref={screen} className={classes.night} data-live={isLive || undefined}>
      <Head event={event} night={night} now={now} isLive={isLive} screen={screen} />
      <Warnings states={states} hasEnded={hasEnded} />
      <Figures night={night} now={now} />
      <div className={classes.panels}>
        <Arrivals event={event} night={night} now={now} />
        <div className={classes.side}>
          <Conflicts slug={event.slug} conflicts={night.conflicts} zone={event.time_zone} />
          <ByTicket night={night} />
        </div>
        <Doors states={states} samples={samples} now={now} zone={event.time_zone} hasEnded={hasEnded} />
      </div>
    </div>
  )
}

interface HeadProps {
  event: Event
  night: Night
  now: number
  isLive: boolean
  screen: RefObject<HTMLDivElement | null>
}

const Head = ({ event, night, now, isLive, screen }: HeadProps) => {
  const words = useWords(nightWords)
  const { date, zoneHint } = useFormat()
  const { slug, time_zone: timeZone } = event
  const at = (iso: string) => date(iso, timeZone, 'time')
  const zone = zoneHint(event.starts_at, timeZone)
  const facts = [
    date(event.starts_at, timeZone, 'dayAndYear'),
    event.doors_open_at && words.doors(at(event.doors_open_at)),
    words.starts(at(event.starts_at)),
    words.ends(at(event.ends_at)),
    zone && words.timeIn(zone),
  ]
  const navigate = useNavigate()
  const openReport = () => void navigate({ to: '/events/$slug/night/report', params: { slug } })
  useShortcuts([{ keys: 'r', label: words.keys.report, run: openReport }])
  return (
    <header className={classes.head}>
      <Title order={1} size="h2">
        {isOver(event, now) ? words.afterTheNight : words.tonight}
      </Title>
      <div className={classes.headState}>
        <time className={classes.clock} aria-label={words.clock}>
          {date(new Date(now).toISOString(), timeZone, 'time')}
        </time>
        <Badge color={isLive ? 'good' : 'warn'} variant="light" tt="none" radius="sm" role="status">
          {isLive ? words.live : words.notLive}
        </Badge>
      </div>
      <span className={classes.facts}>
        {facts.filter(Boolean).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
      <Group gap="xs" className={classes.tools}>
        <FullScreenButton screen={screen} />
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/events/$slug/night/report" params={{ slug }} {...props} />}
        >
          {words.report}
        </Button>
      </Group>
      {!isLive && <StaleNote time={at(night.generated_at)} />}
    </header>
  )
}

const STALE_MS = 4_000

/** The first moments, until the stream is there, frighten nobody. */
const StaleNote = ({ time }: { time: string }) => {
  const words = useWords(nightWords)
  const [isDue, setIsDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), STALE_MS)
    return () => clearTimeout(timer)
  }, [])
  return isDue ? <Warning>{words.notLiveMore(time)}</Warning> : null
}

/** For a wall: only the night, as large as the screen allows. */
const FullScreenButton = ({ screen }: Pick<HeadProps, 'screen'>) => {
  const words = useWords(nightWords)
  const [isFull, setIsFull] = useState(false)
  useEffect(() => {
    const look = () => setIsFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', look)
    return () => document.removeEventListener('fullscreenchange', look)
  }, [])
  const toggle = () =>
    // A browser that does not allow it leaves everything as it is.
    void (isFull ? document.exitFullscreen() : screen.current!.requestFullscreen()).catch(() => setIsFull(false))
  useShortcuts([{ keys: 'f', label: words.keys.fullScreen, run: toggle }])
  if (!document.fullscreenEnabled) return null
  return (
    <Button variant="default" onClick={toggle}>
      {isFull ? words.leaveFullScreen : words.fullScreen}
    </Button>
  )
}

const Warning = ({ children }: { children: ReactNode }) => <p className={classes.warning}>{children}</p>

/** What the figures cannot know. */
const Warnings = ({ states: { inUse }, hasEnded }: { states: DoorStates; hasEnded: boolean }) => {
  const words = useWords(nightWords)
  const { number } = useFormat()
  const silent = hasEnded ? 0 : inUse.filter(({ isSilent }) => isSilent).length
  const unsent = inUse.reduce((sum, state) => sum + (state.unsent ?? 0), 0)
  return (
    <div role="status" className={classes.warnings}>
      {silent > 0 && <Warning>{words.silent(silent)}</Warning>}
      {unsent > 0 && <Warning>{words.unsent(unsent, number(unsent))}</Warning>}
    </div>
  )
}

const Figures = ({ night, now }: { night: Night; now: number }) => {
  const words = useWords(nightWords)
  const { number } = useFormat()
  return (
    <dl className={classes.figures} aria-label={words.figures}>
      <Figure label={words.inside} value={number(night.inside)} isMain />
      <Figure label={words.arrived} value={number(night.arrived)} more={words.ofExpected(number(night.expected))} />
      <Figure label={words.toCome} value={number(Math.max(0, night.expected - night.arrived))} />
      <Figure label={words.pace} value={number(Math.round(paceOf(night.arrivals, now)))} more={words.paceMore} />
    </dl>
  )
}

interface FigureProps {
  label: string
  value: string
  more?: string
  isMain?: boolean
}

const Figure = ({ label, value, more, isMain = false }: FigureProps) => (
  <div className={classes.figure} data-main={isMain || undefined}>
    <dt>{label}</dt>
    <dd>
      {value}
      {more && <span className={classes.figureMore}>{more}</span>}
    </dd>
  </div>
)

const ByTicket = ({ night: { tickets } }: { night: Night }) => {
  const words = useWords(nightWords)
  const { number } = useFormat()
  return (
    <section className={classes.panel} aria-label={words.byTicket} data-panel="tickets">
      <Title order={2} size="lg">
        {words.byTicket}
      </Title>
      {tickets.length === 0 && <p className={classes.quiet}>{words.nobody}</p>}
      <ul className={classes.meters}>
        {tickets.map(({ ticket_id: id, title, expected, arrived }) => (
          <li key={`${id} ${title}`}>
            <div className={classes.meterText}>
              <span dir="auto">{title}</span>
              <strong>{arrived >= expected ? words.allHere : words.stillToCome(number(expected - arrived))}</strong>
              <span className={classes.quiet}>{words.arrivedOf(number(arrived), number(expected))}</span>
            </div>
            <Progress value={expected === 0 ? 0 : (arrived / expected) * 100} size="sm" aria-label={title} />
          </li>
        ))}
      </ul>
    </section>
  )
}
