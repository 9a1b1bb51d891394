import { Badge, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useFormat } from '../../ui/format.ts'
import { isManager, useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './night.module.css'
import { type CountSample, type DoorState, type DoorStates, devicePaceOf } from './rules.ts'
import { nightWords } from './words.ts'

const MINUTE_MS = 60_000

interface DoorsProps {
  states: DoorStates
  samples: readonly CountSample[]
  now: number
  zone: string
  /** After the night nobody waits for a device. */
  hasEnded: boolean
}

/** Each door with its pace, its line and what it has not sent; those that need somebody first. */
export const Doors = ({ states, samples, now, zone, hasEnded }: DoorsProps) => {
  const words = useWords(nightWords)
  const { role } = useSession()
  const { inUse, unused } = states
  return (
    <section className={classes.panel} aria-label={words.doorsList} data-panel="doors">
      <Title order={2} size="lg">
        {words.doorsList}
      </Title>
      {inUse.length === 0 ? (
        <p className={classes.quiet}>
          <strong>{words.noDoors}.</strong> {words.noDoorsMore}
        </p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{words.door}</th>
              <th scope="col">{words.entries}</th>
              <th scope="col">{words.devicePace}</th>
              <th scope="col">{words.line}</th>
              <th scope="col">{words.unsentScans}</th>
            </tr>
          </thead>
          <tbody>
            {inUse.map((state) => (
              <DoorRow
                key={state.device.id}
                state={state}
                pace={devicePaceOf(samples, state.device, now)}
                zone={zone}
                hasEnded={hasEnded}
              />
            ))}
          </tbody>
        </table>
      )}
      <p className={classes.quiet}>
        {unused.length > 0 && words.unused(unused.length)}
        {unused.length > 0 && isManager(role) && ' · '}
        {isManager(role) && <Link to="/team/devices">{words.toDevices}</Link>}
      </p>
    </section>
  )
}

interface DoorRowProps {
  state: DoorState
  pace: number | null
  zone: string
  hasEnded: boolean
}

const DoorRow = memo(({ state, pace, zone, hasEnded }: DoorRowProps) => {
  const words = useWords(nightWords)
  const { date, number } = useFormat()
  const { device, unsent, isListOld } = state
  return (
    <tr data-silent={(state.isSilent && !hasEnded) || undefined}>
      <th scope="row">
        <span dir="auto">{device.name}</span>
        {isListOld && !hasEnded && (
          <span className={classes.rowNote}>{words.oldList(date(device.snapshot_at!, zone, 'time'))}</span>
        )}
      </th>
      <td data-label={words.entries}>{number(device.count)}</td>
      <td data-label={words.devicePace}>
        {pace === null ? <span className={classes.quiet}>{words.measuring}</span> : number(Math.round(pace * 10) / 10)}
      </td>
      <td data-label={words.line}>
        <Line state={state} zone={zone} hasEnded={hasEnded} />
      </td>
      <td data-label={words.unsentScans}>
        {unsent === null ? (
          <span className={classes.quiet}>{words.notTold}</span>
        ) : (
          <span data-urgent={unsent > 0 || undefined}>{number(unsent)}</span>
        )}
      </td>
    </tr>
  )
})
DoorRow.displayName = 'DoorRow'

const Line = ({ state: { device, isSilent, silentForMs }, zone, hasEnded }: Omit<DoorRowProps, 'pace'>) => {
  const words = useWords(nightWords)
  const { date } = useFormat()
  if (silentForMs === null) return <span className={classes.quiet}>{words.neverHeard}</span>
  if (!isSilent) return <span>{words.online}</span>
  if (hasEnded)
    return <span className={classes.quiet}>{words.lastHeard(date(device.last_seen_at!, zone, 'time'))}</span>
  const minutes = Math.floor(silentForMs / MINUTE_MS)
  return (
    <Badge color="warn" variant="light" tt="none" radius="sm">
      {words.silentFor(minutes < 120 ? words.minutes(minutes) : words.hours(Math.floor(minutes / 60)))}
    </Badge>
  )
}
