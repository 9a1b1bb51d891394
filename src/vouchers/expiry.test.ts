import { expect, test } from 'vitest'
import { parseBeginning, parseExpiry } from './expiry.ts'

test.each([
  ['America/Santiago', '2027-09-05', 'clocks skip midnight', '2027-09-05T04:00:00.000Z'],
  ['America/Santiago', '2027-04-04', 'clocks go back at midnight', '2027-04-04T04:00:00.000Z'],
  ['America/Havana', '2027-03-14', 'clocks skip midnight', '2027-03-14T05:00:00.000Z'],
  ['America/Havana', '2027-11-07', 'midnight comes twice', '2027-11-07T04:00:00.000Z'],
  ['Atlantic/Azores', '2027-03-28', 'clocks skip midnight', '2027-03-28T01:00:00.000Z'],
  ['Atlantic/Azores', '2027-10-31', 'midnight comes twice', '2027-10-31T00:00:00.000Z'],
  ['Africa/Cairo', '2027-04-30', 'clocks skip midnight', '2027-04-29T22:00:00.000Z'],
  ['Africa/Cairo', '2027-10-29', 'clocks go back at midnight', '2027-10-28T22:00:00.000Z'],
  ['Asia/Beirut', '2027-03-28', 'clocks skip midnight', '2027-03-27T22:00:00.000Z'],
  ['Asia/Beirut', '2027-10-31', 'clocks go back at midnight', '2027-10-30T22:00:00.000Z'],
  ['Pacific/Auckland', '2027-09-26', 'clocks go forward later', '2027-09-25T12:00:00.000Z'],
  ['Pacific/Auckland', '2027-04-04', 'clocks go back later', '2027-04-03T11:00:00.000Z'],
])('in %s the day %s, when %s, begins at its first moment', (timeZone, day, _what, moment) => {
  const begins = parseBeginning(day, timeZone)!
  const before = new Date(begins.getTime() - 1)
  expect(begins.toISOString()).toBe(moment)
  const dayThere = (at: Date) => at.toLocaleDateString('sv', { timeZone })
  expect([dayThere(before) < day, dayThere(begins)]).toEqual([true, day])
  expect(parseExpiry(dayThere(before), timeZone)).toEqual(before)
})
