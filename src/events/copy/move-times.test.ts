import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instantOfWallTime, wallTimeOf } from '../../kernel/wall-clock.ts'
import { wallClockShift, shiftTimes } from './move-times.ts'

const shown = (moment: Date, timeZone: string) => new Date(wallTimeOf(moment, timeZone)).toISOString().slice(0, 16)

const at = (local: string, timeZone: string) => instantOfWallTime(Date.parse(`${local}Z`), timeZone)

test.each([
  ['Europe/Berlin', '2026-03-20T20:00', '2026-04-03T20:00', '2026-03-20T19:00', '2026-04-03T19:00'],
  ['Europe/Berlin', '2026-10-20T20:00', '2027-10-19T20:00', '2026-10-21T01:30', '2027-10-20T01:30'],
  ['America/New_York', '2026-03-01T20:00', '2026-03-15T20:00', '2026-02-01T10:00', '2026-02-15T10:00'],
  ['Australia/Lord_Howe', '2026-04-01T20:00', '2026-04-10T20:00', '2026-04-01T19:30', '2026-04-10T19:30'],
  ['Asia/Kathmandu', '2026-03-20T20:00', '2026-11-03T20:00', '2026-03-20T18:15', '2026-11-03T18:15'],
  ['Pacific/Apia', '2011-12-20T20:00', '2012-01-03T20:00', '2011-12-20T18:00', '2012-01-03T18:00'],
  ['America/Sao_Paulo', '2018-10-01T20:00', '2018-12-01T20:00', '2018-09-01T00:00', '2018-11-01T00:00'],
  ['UTC', '2026-03-20T20:00', '2027-03-19T20:00', '2026-03-20T19:00', '2027-03-19T19:00'],
])('in %s the clock stays and the days move', (timeZone, from, to, time, moved) => {
  const move = wallClockShift(at(from, timeZone), at(to, timeZone), timeZone)
  expect(shown(move(at(time, timeZone)), timeZone)).toBe(moved)
})

test('doors open as long before as they did when the copy begins at another hour', () => {
  const zone = 'Europe/Berlin'
  const move = wallClockShift(at('2026-03-20T20:00', zone), at('2026-04-03T18:30', zone), zone)
  expect(shown(move(at('2026-03-20T19:00', zone)), zone)).toBe('2026-04-03T17:30')
})

test('a time that clocks are turned over is as much later as they are turned', () => {
  const zone = 'Europe/Berlin'
  const move = wallClockShift(at('2026-03-21T23:00', zone), at('2026-03-28T23:00', zone), zone)
  expect(move(at('2026-03-22T02:30', zone)).toISOString()).toBe('2026-03-29T01:30:00.000Z')
})

test('of a time that clocks show twice it is the first', () => {
  const zone = 'Europe/Berlin'
  const move = wallClockShift(at('2026-10-17T23:00', zone), at('2026-10-24T23:00', zone), zone)
  expect(move(at('2026-10-18T02:30', zone)).toISOString()).toBe('2026-10-25T00:30:00.000Z')
})

test('a start that is sent is taken to the moment, also when clocks show it twice', () => {
  const zone = 'Europe/Berlin'
  const from = at('2026-10-18T02:30', zone)
  const second = new Date('2026-10-25T01:30:00Z')
  const night = { starts_at: from, ends_at: at('2026-10-18T02:45', zone), doors_open_at: from }
  const moved = shiftTimes(night, wallClockShift(from, second, zone), [
    ['starts_at', 'ends_at'],
    ['starts_at', 'doors_open_at'],
  ])
  expect(moved).toEqual({ starts_at: second, ends_at: new Date('2026-10-25T01:45:00Z'), doors_open_at: second })
})

test('a set within the hour that clocks leave out is still as long as it was', () => {
  const zone = 'Europe/Berlin'
  const move = wallClockShift(at('2026-03-21T23:00', zone), at('2026-03-28T23:00', zone), zone)
  const set = { starts_at: at('2026-03-22T02:10', zone), ends_at: at('2026-03-22T03:05', zone) }
  expect(shiftTimes(set, move, [['starts_at', 'ends_at']])).toEqual({
    starts_at: new Date('2026-03-29T01:10:00Z'),
    ends_at: new Date('2026-03-29T02:05:00Z'),
  })
})

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Africa/Casablanca', 'UTC']

test('in whichever zone and season, what came first comes first, and clocks show what they showed', () => {
  const year2020 = Date.UTC(2020, 0, 1)
  const minutes = (days: number) => fc.integer({ min: -days * 1440, max: days * 1440 })
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 10 * 366 }),
      minutes(800),
      minutes(3),
      (zone, day, distance, beside) => {
        const from = new Date(year2020 + day * 86_400_000 + 20 * 3_600_000)
        const to = new Date(from.getTime() + distance * 60_000)
        const other = new Date(from.getTime() + beside * 60_000)
        const move = wallClockShift(from, to, zone)
        const moved = shiftTimes({ starts_at: from, other }, move, [['starts_at', 'other']])
        expect(moved.starts_at).toEqual(to)
        expect(Math.sign(moved.other.getTime() - to.getTime())).toBe(Math.sign(beside))
        const apart = wallTimeOf(move(other), zone) - wallTimeOf(to, zone)
        const was = wallTimeOf(other, zone) - wallTimeOf(from, zone)
        // Only where clocks leave an hour out can they not show it.
        expect([0, 30 * 60_000, 60 * 60_000]).toContain(apart - was)
      },
    ),
    { numRuns: 3_000 },
  )
})
