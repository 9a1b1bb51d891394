import { organizerOfEvent } from '../../access/access.ts'
import { RawAnswer } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'
import { printPoster } from './print-poster.ts'

const signupPoster = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_list_forms/:public_id/poster',
  operationId: 'getSignupPoster',
  says: 'A sheet in A4 with the QR code of the link, to hang up. After a rotation it has to be printed anew.',
  access: organizerOfEvent('read'),
  exampleSetup: EXAMPLE_SETUPS.link,
  answers: {},
  media: ['application/pdf'],
  handle: async ({ event, params }) =>
    new RawAnswer(
      200,
      {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="poster-${event.event.slug}.pdf"`,
        // It holds the address of the link.
        'cache-control': 'private, no-store',
      },
      await printPoster(event, params.public_id),
    ),
})

export const posterEndpoints = [signupPoster]
