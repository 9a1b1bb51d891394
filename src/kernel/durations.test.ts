import { expect, test } from 'vitest'
import { addDuration, isCalendarDate, parseTimestamp } from './durations.ts'

const from = (now: string, duration: string) => addDuration(new Date(now), duration)?.toISOString() ?? null

test('days, weeks, hours, minutes and seconds are added as exact time', () => {
  expect(from('2026-03-01T12:00:00Z', '+P30D')).toBe('2026-03-31T12:00:00.000Z')
  expect(from('2026-03-01T12:00:00Z', '+P29DT23H')).toBe('2026-03-31T11:00:00.000Z')
  expect(from('2026-03-01T12:00:00Z', '+P2W')).toBe('2026-03-15T12:00:00.000Z')
  expect(from('2026-03-01T12:00:00Z', '-PT2H')).toBe('2026-03-01T10:00:00.000Z')
  expect(from('2026-03-01T12:00:00Z', '+PT15M')).toBe('2026-03-01T12:15:00.000Z')
  expect(from('2026-03-01T12:00:00Z', '-P1W2DT3H4M5.5S')).toBe('2026-02-20T08:55:54.500Z')
  expect(from('2026-03-01T12:00:00Z', '+PT0S')).toBe('2026-03-01T12:00:00.000Z')
})

test('months and years go by the calendar, and a day that is missing is the month’s last', () => {
  expect(from('2026-01-31T08:30:00Z', '+P1M')).toBe('2026-02-28T08:30:00.000Z')
  expect(from('2028-01-31T08:30:00Z', '+P1M')).toBe('2028-02-29T08:30:00.000Z')
  expect(from('2028-02-29T00:00:00Z', '-P1Y')).toBe('2027-02-28T00:00:00.000Z')
  expect(from('2026-11-15T00:00:00Z', '+P3M')).toBe('2027-02-15T00:00:00.000Z')
  expect(from('2026-01-31T00:00:00Z', '+P1M1D')).toBe('2026-03-01T00:00:00.000Z')
  expect(from('2026-03-31T00:00:00Z', '-P1Y1M')).toBe('2025-02-28T00:00:00.000Z')
})

test('what is no signed duration is none', () => {
  for (const text of [
    'P30D',
    '+30D',
    '+P',
    '+PT',
    '+P1DT',
    '+P1H',
    '+PT1D',
    '+P1.5D',
    '+p1d',
    ' +P1D',
    '+P1D ',
    '+-P1D',
    '',
  ]) {
    expect([text, addDuration(new Date(), text)]).toEqual([text, null])
  }
  expect(addDuration(new Date(), '+P99999Y')).toBeNull()
  expect(addDuration(new Date(), `+P${'9'.repeat(400)}D`)).toBeNull()
  expect(addDuration(new Date(), '-P2500Y')).toBeNull()
})

test('a timestamp names its offset and a day that exists', () => {
  expect(parseTimestamp('2026-12-24T20:00:00+01:00')?.toISOString()).toBe('2026-12-24T19:00:00.000Z')
  expect(parseTimestamp('2026-12-24T20:00Z')?.toISOString()).toBe('2026-12-24T20:00:00.000Z')
  expect(parseTimestamp('2026-12-24T20:00:00.123456Z')?.toISOString()).toBe('2026-12-24T20:00:00.123Z')
  for (const text of [
    '2026-12-24T20:00:00',
    '2026-12-24',
    '2026-02-30T20:00:00Z',
    '2026-12-24T25:00:00Z',
    '0000-01-01T00:00:00Z',
    '1700000000',
  ]) {
    expect([text, parseTimestamp(text)]).toEqual([text, null])
  }
})

test('a calendar date is a day that exists', () => {
  expect(isCalendarDate('2028-02-29')).toBe(true)
  expect(isCalendarDate('2026-02-29')).toBe(false)
  expect(isCalendarDate('2026-2-1')).toBe(false)
})
