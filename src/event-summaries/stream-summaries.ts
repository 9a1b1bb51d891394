import type { Readable } from 'node:stream'
import type { CallerScope } from '../access/scopes.ts'
import { streamState } from '../http/state-stream.ts'
import { findEventSummaries } from './records.ts'
import { showEventSummaries } from './wire.ts'

const LOOK_MS = 2_000

interface SummaryListener {
  account: CallerScope
  readmit: () => Promise<{ account: CallerScope }>
  closing: AbortSignal
}

/** All summaries, at once and then after changes. Those of the same account and reach are looked at once. */
export const streamSummaries = ({ account, readmit, closing }: SummaryListener): Promise<Readable> =>
  streamState({
    watched: {
      app: account.app,
      name: `the summaries of account ${account.account.id} for ${account.boundMembershipId ?? 'all of it'}`,
      findVersion: async () => JSON.stringify(await findEventSummaries(account)),
      everyMs: LOOK_MS,
    },
    event: 'summaries',
    read: async ({ account: scope }) => showEventSummaries(await findEventSummaries(scope)),
    readmit,
    closing,
  })
