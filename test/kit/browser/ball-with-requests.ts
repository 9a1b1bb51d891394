import type { Browser } from 'playwright-core'
import { askAtHost } from '../network/ask-at-host.ts'
import type { VenueFile } from '../venue/neue-halle.ts'
import { type Venue, openVenue } from '../venue/venue.ts'
import { openConsolePage, signInAs } from './console.ts'
import { CONSOLE } from './watched-browser.ts'

const MARA = 'mara@neue-halle.example'
export const BALL = `${CONSOLE}/console/events/winter-ball`

/** The newest comes first in the queue. */
const GUESTS = ['Ada Lovelace', 'Bo', 'Cy Young', 'Dee Dee', 'Eve Adams', 'Fay Wray', 'Gus', 'Hal']

export const emailOf = (name: string) => `${name.split(' ')[0]!.toLowerCase()}@guest.example`

export const openBallWithRequests = async (change: (ball: VenueFile, file: VenueFile) => void = () => {}) =>
  openVenue((file) => {
    const ball = file['events'][0]
    ball.signup_links = [
      { key: 'friends', name: 'Friends', ticket: 'ga', max_companions: 3, capacity: 6, asks_questions: true },
    ]
    ball.signup_requests = GUESTS.toReversed().map((name, n) => ({
      link: 'friends',
      name,
      email: emailOf(name),
      company: 'Engine Works',
      companions: name === 'Ada Lovelace' ? 2 : 0,
      companion_names: name === 'Ada Lovelace' ? ['Charles', 'Mary'] : [],
      custom_field_answers: { heard: 'Radio' },
      created_at: `-PT${60 - n}M`,
    }))
    change(ball, file)
  })

/** Signed in as the manager, at an address of the console. */
export const openAs = async (
  browser: Browser,
  venue: Venue,
  path: string,
  options: Parameters<typeof openConsolePage>[1] = {},
) => {
  const seen = await openConsolePage(browser, options)
  await signInAs(seen, venue, MARA)
  await seen.page.goto(path)
  return seen
}

export const statusOf = async (venue: Venue, name: string): Promise<string> => {
  for (const status of ['pending', 'approved', 'rejected']) {
    const { body } = await venue.office.get(`/admin/events/winter-ball/guest_requests?status=${status}&per_page=250`)
    if (body.requests.some((request: { name: string }) => request.name === name)) return status
  }
  return 'unknown'
}

/** As a guest's browser asks at the shop's own address. */
export const askShop = async (
  venue: Venue,
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => {
  const { pathname, host } = new URL(url)
  return (await askAtHost(venue.origin, pathname, { ...init, headers: { host, ...init.headers } })).text()
}
