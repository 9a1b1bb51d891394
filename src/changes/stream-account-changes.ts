import type { Readable } from 'node:stream'
import type { CallerScope } from '../access/scopes.ts'
import { streamState } from '../http/state-stream.ts'
import { findAccountChanges } from './records.ts'
import { showChanges } from './wire.ts'

/** Half of the second within which a change shall show; the other half is for reading what changed. */
const LOOK_MS = 500

interface ChangesListener {
  account: CallerScope
  readmit: () => Promise<{ account: CallerScope }>
  closing: AbortSignal
}

/** The versions of all topics, at once and then after changes. An account is looked at once for all who listen. */
export const streamAccountChanges = ({ account, readmit, closing }: ChangesListener): Promise<Readable> =>
  streamState({
    watched: {
      app: account.app,
      name: `the changes of account ${account.account.id}`,
      findVersion: async () => JSON.stringify(await findAccountChanges(account)),
      everyMs: LOOK_MS,
    },
    event: 'changes',
    read: ({ account: scope }) => findAccountChanges(scope),
    show: (changes, { account: scope }) => showChanges(changes, scope),
    readmit,
    closing,
  })
