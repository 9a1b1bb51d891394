import { randomBytes } from 'node:crypto'
import { loadVenue } from '../../../src/venue-file/load-venue.ts'
import { openClient } from './client.ts'
import type { OpenApp } from './venue.ts'
import { type VenueFile, neueHalle } from './neue-halle.ts'

/** Neue Halle in an installation that a test opened for itself, with clients by the description of their tokens. */
export const openVenueIn = async (running: OpenApp, change: (file: VenueFile) => void = () => {}) => {
  const file = neueHalle(`neue-halle-${randomBytes(5).toString('hex')}`)
  change(file)
  const report = await loadVenue(running.app, JSON.stringify(file))
  const client = (description: string) => openClient(running.origin, { token: report.api_tokens[description] })
  return { report, client }
}
