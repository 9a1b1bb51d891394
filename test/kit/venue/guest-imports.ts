import { expect } from 'vitest'
import { compareCounters } from '../../../src/inventory/consistency/records.ts'
import { type Venue, openVenue } from './venue.ts'

export const BALL = '/admin/events/winter-ball'
export const IMPORTS = `${BALL}/guest_imports`

export const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')

/** The office of a venue that imports guests into its winter ball. */
export const openImportOffice = async (venue?: Venue) => {
  const house = venue ?? (await openVenue())
  const { office, report } = house
  const { tickets, standing_areas: areas, places } = report.events['winter-ball']!
  const analyze = (body: object) => office.post(IMPORTS, { ticket_id: tickets['ga'], ...body })
  const detail = async (id: string) => (await office.get(`${IMPORTS}/${id}`)).body
  const apply = async (id: string, body: object = {}) => {
    const submitted = await office.post(`${IMPORTS}/${id}/application`, body)
    expect(submitted.status).toBe(202)
    expect(submitted.body.status).toBe('applying')
    await house.workOffJobs()
    return detail(id)
  }
  const undo = (id: string) => office.delete(`${IMPORTS}/${id}/application`)
  const list = async () => (await office.get(`${BALL}/guest_list`)).body
  const names = async () =>
    (await list()).guest_parties.map(({ customer_name, party_size }: { customer_name: string; party_size: number }) => [
      customer_name,
      party_size,
    ])
  const free = async (title: string) =>
    (await office.get(`${BALL}/ticket_options`)).body.ticket_options.find(
      (option: { title: string }) => option.title === title,
    ).available_stock
  const expectSound = async () => {
    expect(await compareCounters(house.app.database.kysely, report.account.id)).toEqual([])
  }
  return { ...house, tickets, areas, places, analyze, detail, apply, undo, list, names, free, expectSound }
}
