import type { Schemas } from '../../api/client.ts'

export type Night = Schemas['Night']
export type NightDevice = Night['devices'][number]
export type NightConflict = Night['conflicts'][number]
export type Event = Schemas['Event']

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const doorsOf = (event: Pick<Event, 'doors_open_at' | 'starts_at'>): number =>
  Date.parse(event.doors_open_at ?? event.starts_at)

export const isOver = (event: Pick<Event, 'ends_at'>, now: number): boolean => Date.parse(event.ends_at) <= now

const placeOf = ({ venue }: Event) => (venue === null ? '' : `${venue.name}\n${venue.city}`)

const weekdayOf = ({ starts_at, time_zone }: Event) =>
  new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: time_zone }).format(new Date(starts_at))

/**
 * Past events to compare a night with, the most comparable first: those at the same place on the same weekday, then
 * others at the same place, of each kind the latest first. Which of them had arrivals is asked elsewhere.
 */
export const findComparableEvents = (event: Event, events: readonly Event[]): Event[] => {
  const before = events
    .filter(({ id, cancelled_at }) => id !== event.id && cancelled_at === null)
    .filter((each) => Date.parse(each.ends_at) <= doorsOf(event) && placeOf(each) === placeOf(event))
    .toSorted((one, other) => Date.parse(other.starts_at) - Date.parse(one.starts_at))
  const isSameWeekday = (each: Event) => weekdayOf(each) === weekdayOf(event)
  return [...before.filter(isSameWeekday), ...before.filter((each) => !isSameWeekday(each))]
}

/** Minutes since the doors were to open, each with how many came. */
export type ArrivalsByMinute = ReadonlyMap<number, number>

/** What is further away from the doors belongs to no evening, such as a scan to try a device out. */
const BEFORE_MAX = 6 * 60
const AFTER_MAX = 18 * 60

export const arrivalsByMinute = (arrivals: Night['arrivals'], doors: number): ArrivalsByMinute => {
  const counts = new Map<number, number>()
  for (const { minute, count } of arrivals) {
    const n = Math.floor((Date.parse(minute) - doors) / MINUTE_MS)
    if (n >= -BEFORE_MAX && n <= AFTER_MAX) counts.set(n, (counts.get(n) ?? 0) + count)
  }
  return counts
}

/** How many had come until then. */
export const arrivedUntil = (arrivals: ArrivalsByMinute, minute: number): number =>
  Array.from(arrivals).reduce((sum, [n, count]) => (n <= minute ? sum + count : sum), 0)

export interface PlotSeries {
  /** Seconds since 1970, a minute apart. */
  times: number[]
  tonight: (number | null)[]
  /** Null where there is nothing to compare with. */
  before: (number | null)[] | null
}

const PLOT_MIN = 30

/**
 * Both nights on the clock of tonight, from the first of both to the last. Tonight ends with the last whole minute: one
 * that is not over would look as if nobody came any more.
 */
export const plotSeriesOf = (
  tonight: ArrivalsByMinute,
  before: ArrivalsByMinute | null,
  { doors, now, isOver: hasEnded }: { doors: number; now: number; isOver: boolean },
): PlotSeries => {
  const known = [...tonight.keys(), ...(before?.keys() ?? [])]
  const nowMinute = Math.floor((now - doors) / MINUTE_MS)
  const lastMinute = hasEnded ? Math.max(0, ...tonight.keys()) : Math.min(nowMinute - 1, AFTER_MAX)
  const first = Math.min(0, ...known)
  const last = Math.max(first + PLOT_MIN, lastMinute, ...known)
  const minutes = Array.from({ length: last - first + 1 }, (_, n) => first + n)
  return {
    times: minutes.map((n) => Math.floor(doors / MINUTE_MS) * 60 + n * 60),
    tonight: minutes.map((n) => (n <= lastMinute ? (tonight.get(n) ?? 0) : null)),
    before: before && minutes.map((n) => before.get(n) ?? 0),
  }
}

const PACE_MINUTES = 5

/** Arrivals a minute over the last five whole minutes. */
export const paceOf = (arrivals: Night['arrivals'], now: number): number => {
  const end = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const from = end - PACE_MINUTES * MINUTE_MS
  const count = arrivals.reduce((sum, { minute, count: came }) => {
    const at = Date.parse(minute)
    return at >= from && at < end ? sum + came : sum
  }, 0)
  return count / PACE_MINUTES
}

/** A device says every half minute that it is there; three times that without a word, and nothing is known of it. */
const SILENT_MS = 90_000
const SNAPSHOT_OLD_MS = 15 * MINUTE_MS
const USED_MS = 12 * HOUR_MS

export interface DoorState {
  device: NightDevice
  /** Null: it was never heard of. */
  silentForMs: number | null
  /** It used to say that it is there, and does no more. What scans without an app of ours never says so. */
  isSilent: boolean
  /** Null: it does not say how many scans it has not sent. */
  unsent: number | null
  /** Decides by a list of guests that is old. */
  isListOld: boolean
}

export interface DoorStates {
  /** Those that were used this evening, whatever needs somebody first. */
  inUse: DoorState[]
  unused: NightDevice[]
}

export const doorStatesOf = (devices: readonly NightDevice[], now: number): DoorStates => {
  const isUsed = ({ count, last_seen_at, queue }: NightDevice) =>
    count !== 0 || (queue ?? 0) > 0 || (last_seen_at !== null && now - Date.parse(last_seen_at) < USED_MS)
  const inUse = devices.filter(isUsed).map((device) => doorStateOf(device, now))
  const urgency = ({ isSilent, unsent }: DoorState) => (isSilent ? 2 : (unsent ?? 0) > 0 ? 1 : 0)
  return {
    inUse: inUse.toSorted((one, other) => urgency(other) - urgency(one) || other.device.count - one.device.count),
    unused: devices.filter((device) => !isUsed(device)),
  }
}

const doorStateOf = (device: NightDevice, now: number): DoorState => {
  const silentForMs = device.last_seen_at === null ? null : Math.max(0, now - Date.parse(device.last_seen_at))
  return {
    device,
    silentForMs,
    isSilent: device.queue !== null && silentForMs !== null && silentForMs > SILENT_MS,
    unsent: device.queue,
    isListOld: device.snapshot_at !== null && now - Date.parse(device.snapshot_at) > SNAPSHOT_OLD_MS,
  }
}

/** What this page has seen of the devices' counts, from which their pace follows: the night tells no more than the sums. */
export interface CountSample {
  at: number
  counts: ReadonlyMap<number, number>
}

const SAMPLE_MS = 10_000
const PACE_MIN_MS = MINUTE_MS

export const addSample = (samples: readonly CountSample[], night: Night): readonly CountSample[] => {
  const at = Date.parse(night.generated_at)
  const last = samples.at(-1)
  if (last && at - last.at < SAMPLE_MS) return samples
  const kept = samples.filter((sample) => at - sample.at <= PACE_MINUTES * MINUTE_MS)
  return [...kept, { at, counts: new Map(night.devices.map(({ id, count }) => [id, count])) }]
}

/** Entries a minute since the oldest sample; null as long as the page has not watched for a minute. */
export const devicePaceOf = (samples: readonly CountSample[], device: NightDevice, now: number): number | null => {
  const oldest = samples.find(({ at, counts }) => counts.has(device.id) && now - at <= PACE_MINUTES * MINUTE_MS)
  if (!oldest || now - oldest.at < PACE_MIN_MS) return null
  return Math.max(0, (device.count - oldest.counts.get(device.id)!) / ((now - oldest.at) / MINUTE_MS))
}

export interface QuarterArrivals {
  /** When the quarter of an hour began. */
  startsAt: string
  count: number
}

const QUARTER_MS = 15 * MINUTE_MS

/** Every quarter of an hour from the first arrival to the last, also those in which nobody came. */
export const arrivalsByQuarter = (arrivals: Night['arrivals']): QuarterArrivals[] => {
  const counts = new Map<number, number>()
  for (const { minute, count } of arrivals) {
    const quarter = Math.floor(Date.parse(minute) / QUARTER_MS)
    counts.set(quarter, (counts.get(quarter) ?? 0) + count)
  }
  if (counts.size === 0) return []
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())]
  // Days apart there are no quarters of an hour worth listing in between.
  const isOneNight = last - first <= (48 * HOUR_MS) / QUARTER_MS
  const quarters = isOneNight
    ? Array.from({ length: last - first + 1 }, (_, n) => first + n)
    : Array.from(counts.keys()).toSorted((one, other) => one - other)
  return quarters.map((quarter) => ({
    startsAt: new Date(quarter * QUARTER_MS).toISOString(),
    count: counts.get(quarter) ?? 0,
  }))
}

export interface NightReport {
  expected: number
  arrived: number
  noShows: number
  /** Null where nobody was expected. */
  share: number | null
  firstArrival: string | null
  lastArrival: string | null
  peak: QuarterArrivals | null
  quarters: QuarterArrivals[]
  tickets: Night['tickets']
  /** What the figures do not know. */
  unsent: number
  conflicts: number
}

export const nightReportOf = (night: Night): NightReport => {
  const quarters = arrivalsByQuarter(night.arrivals)
  return {
    expected: night.expected,
    arrived: night.arrived,
    noShows: Math.max(0, night.expected - night.arrived),
    share: night.expected === 0 ? null : night.arrived / night.expected,
    firstArrival: night.arrivals[0]?.minute ?? null,
    lastArrival: night.arrivals.at(-1)?.minute ?? null,
    peak: quarters.reduce<QuarterArrivals | null>(
      (most, each) => (each.count > (most?.count ?? 0) ? each : most),
      null,
    ),
    quarters,
    tickets: night.tickets,
    unsent: night.devices.reduce((sum, { queue }) => sum + (queue ?? 0), 0),
    conflicts: night.conflicts.length,
  }
}
