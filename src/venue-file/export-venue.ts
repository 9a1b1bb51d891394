import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AccountScope, TransactionDb } from '../access/scopes.ts'
import { exportAccount } from '../accounts/venue-section.ts'
import { describeError } from '../kernel/log.ts'
import type { ExportContext } from '../loading/section.ts'
import { ExportSlots } from './export-slots.ts'
import { SECTIONS } from './sections.ts'
import { writeJson } from './write-json.ts'

const slots = new ExportSlots()

/** Whoever reads this slowly keeps a connection and the moment it shows from being cleaned up. */
const EXPORT_MS = 15 * 60_000
const BUFFER_BYTES = 64 * 1024

/**
 * The account as a venue file, written while it is read, all of it as it stood when the first line was written. The
 * reader sets the pace; one that goes away ends it. Who takes it is written down before anything of it is read.
 */
export const exportVenue = async (scope: AccountScope, writeDown: () => Promise<void>): Promise<Readable> => {
  const release = await slots.take(scope.account.id)
  try {
    await writeDown()
  } catch (error) {
    release()
    throw error
  }
  const file = new PassThrough({ highWaterMark: BUFFER_BYTES })
  const begun = Promise.withResolvers<void>()

  const write = async (rows: TransactionDb) => {
    const context = { app: scope.app, account: scope.account, rows }
    const account = await exportAccount(context)
    begun.resolve()
    const pieces = Readable.from(writeJson(fileOf(context, account)), {
      objectMode: false,
      highWaterMark: BUFFER_BYTES,
    })
    await pipeline(pieces, file, { signal: AbortSignal.timeout(EXPORT_MS) })
  }
  const fail = (error: Error) => {
    begun.reject(error)
    if (!isReaderGone(error)) scope.app.log.warn(describeError(error), 'An export was not finished')
    file.destroy(error)
  }
  scope.consistentRead(write).catch(fail).finally(release)

  await begun.promise
  return file
}

const fileOf = (context: ExportContext, account: object) => ({
  account,
  ...Object.fromEntries(SECTIONS.map((section) => [section.key, section.export(context)])),
})

const isReaderGone = (error: NodeJS.ErrnoException) => error.code === 'ERR_STREAM_PREMATURE_CLOSE'
