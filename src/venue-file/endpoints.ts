import { accountOwner } from '../access/access.ts'
import { RawAnswer } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { exportVenue } from './export-venue.ts'
import { VenueFile } from './wire.ts'

const accountExport = endpoint({
  method: 'GET',
  path: '/admin/export',
  operationId: 'exportAccount',
  says: 'The whole account as a venue file, with codes and answers and without secrets, all of one moment. For owners; every export is written down.',
  access: accountOwner('write'),
  answers: { 200: VenueFile },
  handle: async ({ account }) =>
    new RawAnswer(
      200,
      {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${account.account.subdomain}.json"`,
      },
      // Every transaction of an audited caller leaves the note; this one does nothing else.
      await exportVenue(account, () => account.transaction(async () => {})),
    ),
})

export const venueFileEndpoints = [accountExport]
