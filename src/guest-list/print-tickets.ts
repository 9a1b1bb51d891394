import type { EventScope } from '../access/scopes.ts'
import { requireFound } from '../kernel/refusals.ts'
import { findPrintedTickets } from '../tickets-by-mail/records.ts'
import { fileNameOf } from '../tickets-by-mail/rules.ts'
import { findParty } from './records.ts'

/** The tickets of a live party as they would be mailed, one page for each person. */
export const printTickets = async (event: EventScope, publicId: string): Promise<{ fileName: string; pdf: Buffer }> => {
  const printed = await event.consistentRead(async (rows) => {
    const party = requireFound(await findParty(rows, event.event.id, publicId))
    return requireFound(await findPrintedTickets(rows, party.id))
  })
  // Fonts and their machinery are worth loading only where tickets are made.
  const { ticketsPdf } = await import('../pdf/tickets-pdf.ts')
  return { fileName: fileNameOf(printed), pdf: await ticketsPdf(printed.tickets, printed.language) }
}
