import { describe, expect, test } from 'vitest'
import {
  type Event,
  type Night,
  addSample,
  arrivalsByMinute,
  arrivalsByQuarter,
  arrivedUntil,
  devicePaceOf,
  doorStatesOf,
  findComparableEvents,
  nightReportOf,
  paceOf,
  plotSeriesOf,
} from '../../web/console/night/rules.ts'

const at = (time: string) => `2026-12-05T${time}:00.000Z`
const moment = (time: string) => Date.parse(at(time))

const eventOf = (id: number, startsAt: string, more: Partial<Event> = {}): Event => ({
  id,
  slug: `event-${id}`,
  title: `Event ${id}`,
  starts_at: startsAt,
  doors_open_at: null,
  ends_at: new Date(Date.parse(startsAt) + 5 * 3_600_000).toISOString(),
  time_zone: 'Europe/Berlin',
  published: true,
  listed: true,
  cancelled_at: null,
  archived_at: null,
  capacity: null,
  venue: { name: 'Neue Halle', city: 'Hamburg' },
  created_at: startsAt,
  updated_at: startsAt,
  ...more,
})

const nightOf = (more: Partial<Night> = {}): Night => ({
  generated_at: at('20:00'),
  expected: 0,
  arrived: 0,
  inside: 0,
  tickets: [],
  devices: [],
  arrivals: [],
  conflicts: [],
  ...more,
})

const deviceOf = (more: Partial<Night['devices'][number]> = {}) => ({
  id: 1,
  name: 'Door 1',
  count: 0,
  last_seen_at: at('20:00'),
  queue: 0,
  snapshot_at: at('19:59'),
  ...more,
})

test('a night is compared with the last one at the same place on the same weekday, then with others at the place', () => {
  const saturday = eventOf(1, '2026-12-05T20:00:00.000Z')
  const elsewhere = eventOf(2, '2026-11-28T20:00:00.000Z', { venue: { name: 'Hafen', city: 'Hamburg' } })
  const friday = eventOf(3, '2026-12-04T20:00:00.000Z')
  const older = eventOf(4, '2026-11-21T20:00:00.000Z')
  const last = eventOf(5, '2026-11-28T20:00:00.000Z')
  const cancelled = eventOf(6, '2026-11-28T20:00:00.000Z', { cancelled_at: at('10:00') })
  const next = eventOf(7, '2026-12-12T20:00:00.000Z')
  const found = findComparableEvents(saturday, [next, friday, elsewhere, older, saturday, last, cancelled])
  expect(found.map(({ id }) => id)).toEqual([5, 4, 3])
})

test('the weekday is that of the place: an hour after midnight in Berlin is another day in Greenwich', () => {
  const night = eventOf(1, '2026-12-05T23:30:00.000Z')
  const sunday = eventOf(2, '2026-11-29T10:00:00.000Z')
  const saturday = eventOf(3, '2026-11-28T10:00:00.000Z')
  expect(findComparableEvents(night, [saturday, sunday]).map(({ id }) => id)).toEqual([2, 3])
})

describe('the plot', () => {
  const arrivals = [
    { minute: at('18:58'), count: 2 },
    { minute: at('19:03'), count: 5 },
  ]
  const doors = moment('19:00')

  test('counts minutes from the doors on and leaves out what belongs to no evening', () => {
    const counted = arrivalsByMinute([...arrivals, { minute: '2026-12-01T12:00:00.000Z', count: 9 }], doors)
    expect(Object.fromEntries(counted)).toEqual({ '-2': 2, '3': 5 })
    expect([arrivedUntil(counted, -3), arrivedUntil(counted, 0), arrivedUntil(counted, 3)]).toEqual([0, 2, 7])
  })

  test('shows the night before on the clock of tonight, and nothing of tonight that is still to come', () => {
    const before = new Map([[40, 8]])
    const {
      times,
      tonight,
      before: past,
    } = plotSeriesOf(arrivalsByMinute(arrivals, doors), before, {
      doors,
      now: moment('19:05') + 59_000,
      isOver: false,
    })
    const minute = (time: string) => times.indexOf(moment(time) / 1_000)
    expect(minute('18:58')).toBe(0)
    expect([tonight[0], tonight[minute('19:00')], tonight[minute('19:03')]]).toEqual([2, 0, 5])
    expect(tonight[minute('19:04')]).toBe(0)
    expect(tonight[minute('19:05')]).toBeNull()
    expect(past![minute('19:40')]).toBe(8)
    expect(times).toHaveLength(43)
  })

  test('is there before anybody came', () => {
    const { times, tonight, before } = plotSeriesOf(new Map(), null, { doors, now: moment('12:00'), isOver: false })
    expect(times).toHaveLength(31)
    expect(tonight.every((count) => count === null)).toBe(true)
    expect(before).toBeNull()
  })
})

test('the pace is that of the last five whole minutes', () => {
  const arrivals = ['19:54', '19:55', '19:59', '20:00'].map((time) => ({ minute: at(time), count: 10 }))
  expect(paceOf(arrivals, moment('20:00') + 30_000)).toBe(4)
})

test('doors that need somebody come first; what says nothing of itself is not called silent', () => {
  const { inUse, unused } = doorStatesOf(
    [
      deviceOf({ id: 1, count: 40 }),
      deviceOf({ id: 2, count: 3, last_seen_at: at('19:55') }),
      deviceOf({ id: 3, count: 9, queue: 4 }),
      deviceOf({ id: 4, count: 1, queue: null, last_seen_at: at('19:00') }),
      deviceOf({ id: 5, count: 1, queue: null, last_seen_at: null }),
      deviceOf({ id: 6, last_seen_at: '2026-12-01T20:00:00.000Z' }),
    ],
    moment('20:00'),
  )
  expect(inUse.map(({ device, isSilent }) => [device.id, isSilent])).toEqual([
    [2, true],
    [3, false],
    [1, false],
    [4, false],
    [5, false],
  ])
  expect(unused.map(({ id }) => id)).toEqual([6])
})

test('the pace of a door is known after a minute of watching, over five at most', () => {
  const heard = (time: string, count: number) => nightOf({ generated_at: at(time), devices: [deviceOf({ count })] })
  let samples = addSample([], heard('20:00', 100))
  expect(devicePaceOf(samples, deviceOf({ count: 103 }), moment('20:00') + 30_000)).toBeNull()
  expect(addSample(samples, nightOf({ generated_at: '2026-12-05T20:00:05.000Z' }))).toBe(samples)
  samples = addSample(samples, heard('20:02', 120))
  expect(devicePaceOf(samples, deviceOf({ count: 120 }), moment('20:02'))).toBe(10)
  samples = addSample(samples, heard('20:06', 140))
  expect(samples).toHaveLength(2)
  expect(devicePaceOf(samples, deviceOf({ count: 140 }), moment('20:06'))).toBe(5)
  expect(devicePaceOf(samples, deviceOf({ id: 9 }), moment('20:06'))).toBeNull()
})

test('a report adds up, and says what it does not know', () => {
  const arrivals = [
    { minute: at('19:01'), count: 3 },
    { minute: at('19:14'), count: 4 },
    { minute: at('19:31'), count: 2 },
  ]
  expect(arrivalsByQuarter(arrivals).map(({ startsAt, count }) => [startsAt.slice(11, 16), count])).toEqual([
    ['19:00', 7],
    ['19:15', 0],
    ['19:30', 2],
  ])
  const night = nightOf({
    expected: 12,
    arrived: 9,
    arrivals,
    devices: [deviceOf({ queue: 2 }), deviceOf({ queue: null })],
  })
  expect(nightReportOf(night)).toMatchObject({
    noShows: 3,
    share: 0.75,
    firstArrival: at('19:01'),
    lastArrival: at('19:31'),
    peak: { count: 7 },
    unsent: 2,
  })
  expect(nightReportOf(nightOf())).toMatchObject({ share: null, peak: null, quarters: [], firstArrival: null })
})
