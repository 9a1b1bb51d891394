import { expect } from 'vitest'
import { compareCounters } from '../../../src/inventory/consistency/records.ts'
import { afterEveryTest } from '../tidying.ts'
import type { Reply } from './client.ts'
import type { VenueFile } from './neue-halle.ts'
import { type Venue, openVenue } from './venue.ts'

/** Neue Halle with the Winter Ball at hand: what is on it, who is on its list, what is left. */
export interface WinterBall extends Venue {
  path: string
  eventId: number
  accountId: number
  tickets: Record<string, number>
  places: Record<string, number>
  areas: Record<string, number>
  questions: Record<string, number>
  post(party: object, options?: { headers?: Record<string, string> }): Promise<Reply>
  /** A party that must come to be. */
  // oxlint-disable-next-line typescript/no-explicit-any
  party(party?: object): Promise<any>
  // oxlint-disable-next-line typescript/no-explicit-any
  guestList(query?: string): Promise<any>
  // oxlint-disable-next-line typescript/no-explicit-any
  option(ticket: string): Promise<any>
  partyPath(party: { public_id: string }, rest?: string): string
  /** As the door does it. */
  letIn(admission: { public_id: string }): Promise<void>
  /** Ticket mails that wait to be sent, oldest first. */
  queuedMails(): Promise<{ reason: string; order_id: number; admission_ids?: number[] }[]>
  /** The Winter Ball's rows, as far as inventory goes, to be compared before and after. */
  standing(): Promise<unknown>
}

const opened: WinterBall[] = []

afterEveryTest(async () => {
  for (const { app, accountId } of opened.splice(0)) {
    expect(await compareCounters(app.database.kysely, accountId)).toEqual([])
  }
})

export const openWinterBall = async (
  change: (event: VenueFile, file: VenueFile) => void = () => {},
): Promise<WinterBall> => {
  const venue = await openVenue((file) => change(file['events'][0], file))
  // oxlint-disable-next-line typescript/no-explicit-any
  const report = venue.report as any
  const { id: eventId, tickets, places, standing_areas: areas, questions } = report.events['winter-ball']
  const accountId: number = report.account.id
  const path = '/admin/events/winter-ball'
  const { pool } = venue.app.database

  const post: WinterBall['post'] = (party, options) =>
    venue.office.post(`${path}/guest_parties`, { guest_party: party }, options)

  const ball: WinterBall = {
    ...venue,
    path,
    eventId,
    accountId,
    tickets,
    places,
    areas,
    questions,
    post,
    party: async (party = {}) => {
      const reply = await post({ customer_name: 'Ada Lovelace', ticket_id: tickets['ga'], ...party })
      expect(reply).toMatchObject({ status: 201 })
      return reply.body
    },
    guestList: async (query = '') => {
      const reply = await venue.office.get(`${path}/guest_list${query}`)
      expect(reply.status).toBe(200)
      return reply.body
    },
    option: async (ticket) => {
      const { ticket_options } = await ball.guestList()
      return ticket_options.find((each: { id: number }) => each.id === tickets[ticket])
    },
    partyPath: (party, rest = '') => `${path}/guest_parties/${party.public_id}${rest}`,
    letIn: async ({ public_id }) => {
      await pool.query('update admissions set redeemed_at = foyer_now() where account_id = $1 and public_id = $2', [
        accountId,
        public_id,
      ])
    },
    queuedMails: async () => {
      const { rows } = await pool.query(
        `select payload from lane_jobs where lane = 'mail' and account_id = $1 order by id`,
        [accountId],
      )
      return rows.map(({ payload }) => payload)
    },
    standing: async () => {
      const { rows } = await pool.query(
        `select
          (select json_agg(json_build_array(id, claimed_count) order by id) from events where account_id = $1) as events,
          (select json_agg(json_build_array(id, claimed_count) order by id) from tickets where account_id = $1) as tickets,
          (select json_agg(json_build_array(id, claimed_count) order by id) from standing_areas where account_id = $1) as areas,
          (select json_agg(json_build_array(id, claimed_until) order by id) from places where account_id = $1) as places,
          (select json_agg(o order by id) from orders o where account_id = $1) as orders,
          (select json_agg(a order by id) from admissions a where account_id = $1) as admissions`,
        [accountId],
      )
      return rows[0]
    },
  }
  opened.push(ball)
  return ball
}
