import { z } from 'zod'
import { openAccountForJob } from '../access/job-scope.ts'
import { CANCELLATION_MAILS_JOB } from '../events/set-up/mail-cancellation.ts'
import { defineAppJob } from '../jobs/context.ts'
import { enqueueMany } from '../jobs/enqueue.ts'
import { findVenueSender } from '../mail/records.ts'
import { renderMail } from '../mail/templates.ts'
import { findNextAddresses, findUnsentMail, insertMissingMails, isStillCancelled, recordSent } from './records.ts'
import { greetingNameOf, renderCancellationMail, subjectOf } from './rules.ts'

/** A transaction of so many rows and jobs is short. */
const ADDRESSES_AT_ONCE = 500

/**
 * Finds everybody who is to be told that an event was cancelled, a batch at a time. Begun again it finds those who are
 * left: each address is written down once, together with its job.
 */
const addressCancellation = defineAppJob({
  ...CANCELLATION_MAILS_JOB,
  payload: z.object({ accountId: z.int(), eventId: z.int(), cancelledAt: z.iso.datetime() }),
  run: async ({ accountId, eventId, cancelledAt }, { context: { app }, signal }) => {
    const account = await openAccountForJob(app, accountId)
    if (!account) return
    const cancellation = { eventId, cancelledAt: new Date(cancelledAt) }
    for (let after = ''; ;) {
      signal.throwIfAborted()
      const addresses = await account.transaction(async (tx) => {
        if (!(await isStillCancelled(tx, cancellation))) return []
        const found = await findNextAddresses(tx, eventId, { after, most: ADDRESSES_AT_ONCE })
        const ids = await insertMissingMails(tx, cancellation, found)
        await enqueueMany(
          tx.db,
          sendCancellation,
          ids.map((mailId) => ({ accountId, mailId })),
        )
        return found
      })
      if (addresses.length < ADDRESSES_AT_ONCE) return
      after = addresses.at(-1)!
    }
  },
})

const sendCancellation = defineAppJob({
  name: 'cancellation-mails.send',
  lane: 'mail',
  payload: z.object({ accountId: z.int(), mailId: z.int() }),
  run: async ({ accountId, mailId }, { context: { app, mailer } }) => {
    const account = await openAccountForJob(app, accountId)
    const mail = account && (await findUnsentMail(account.rows, mailId))
    if (!mail) return
    await mailer.send({
      to: { address: mail.address, name: greetingNameOf(mail) ?? '' },
      from: await findVenueSender(account.rows),
      subject: subjectOf(mail),
      ...renderMail(renderCancellationMail(mail)),
      messageId: `cancellation.${accountId}.${mailId}`,
    })
    await account.transaction((tx) => recordSent(tx, mailId))
  },
})

export const cancellationMailJobs = [addressCancellation, sendCancellation]
