import type { Readable } from 'node:stream'
import type { EventScope } from '../../access/scopes.ts'
import { streamState } from '../../http/state-stream.ts'
import { readNight } from './read-night.ts'
import { findNightVersion } from './records.ts'
import { showNight } from './wire.ts'

const LOOK_MS = 1_000

interface NightListener {
  event: EventScope
  readmit: () => Promise<{ event: EventScope }>
  closing: AbortSignal
}

/** The whole night, at once and then after changes, at most once a second. */
export const streamNight = ({ event, readmit, closing }: NightListener): Promise<Readable> =>
  streamState({
    watched: {
      app: event.app,
      name: `the night of event ${event.event.id} of account ${event.account.id}`,
      findVersion: () => findNightVersion(event),
      everyMs: LOOK_MS,
    },
    event: 'night',
    read: async ({ event: scope }) => showNight(await readNight(scope)),
    readmit,
    closing,
  })
