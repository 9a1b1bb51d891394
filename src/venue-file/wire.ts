import { z } from 'zod'
import { named } from '../http/wire.ts'
import { SECTIONS } from './sections.ts'

const Thing = z.record(z.string(), z.unknown())

const PARTS: Record<string, z.ZodType> = {
  account: Thing,
  ...Object.fromEntries(SECTIONS.map(({ key }) => [key, z.array(Thing)])),
}

/** Only as far as its sections: docs/first-venue.md says what stands in them. */
export const VenueFile = named('VenueFile', z.object(PARTS), {
  account: { name: 'Neue Halle', subdomain: 'neue-halle', currency: 'EUR', time_zone: 'Europe/Berlin' },
  people: [{ name: 'Olga Owner', email: 'olga@neue-halle.example', role: 'owner', state: 'active', events: [] }],
  ...Object.fromEntries(SECTIONS.flatMap(({ key }) => (key === 'people' ? [] : [[key, []]]))),
})
