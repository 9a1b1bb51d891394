import { expect, test } from 'vitest'
import { openAssistant } from '../../test/kit/venue/assistant.ts'
import { cpuOf } from '../../test/kit/process/cpu.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

const MOST_US = 2_000_000

const openOffice = async () => {
  const venue = await openVenue()
  return openAssistant(venue, venue.report.api_tokens['office write']!)
}

const MARKS = `a${'\u0301\u0316'.repeat(200_000)}`
const MANY = Array.from({ length: 150_000 }, () => 'A-1')

test.each<[name: string, tool: string, args: Record<string, unknown>]>([
  ['a title of marks upon marks', 'manage_guest_list', { action: 'list', event_title: MARKS }],
  [
    'a ticket of marks upon marks',
    'manage_guest_list',
    { action: 'add', event_title: 'winter-ball', customer_name: 'x', ticket_title: MARKS },
  ],
  ['an assignee of marks upon marks', 'manage_tasks', { action: 'create', title: 'x', assignee_name: MARKS }],
  [
    'places by the hundred thousand',
    'manage_guest_list',
    { action: 'add', event_title: 'winter-ball', customer_name: 'x', place_keys: MANY },
  ],
  [
    'JSON without end inside a text',
    'manage_guest_list',
    {
      action: 'add',
      event_title: 'winter-ball',
      customer_name: 'x',
      ticket_title: 'General admission',
      custom_field_answers: '{"1":'.repeat(120_000),
    },
  ],
  [
    'JSON too deep inside a text',
    'manage_guest_list',
    {
      action: 'add',
      event_title: 'winter-ball',
      customer_name: 'x',
      ticket_title: 'General admission',
      custom_field_answers: `${'{"1":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
    },
  ],
])('%s: refused at once', async (_name, tool, args) => {
  const { fails } = await openOffice()
  const spent = await cpuOf(() => fails(tool, args))
  expect(spent).toBeLessThan(MOST_US)
})

test('a hundred and one places are too many to look for', async () => {
  const { fails } = await openOffice()
  const args = { action: 'add', event_title: 'winter-ball', customer_name: 'x', place_keys: MANY.slice(0, 101) }
  expect(await fails('manage_guest_list', args)).toMatchObject({
    errors: { place_keys: ['is too long (maximum is 100 entries)'] },
  })
})
