import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'

/** All parties at once: whatever is searched and filtered then is found without asking anybody. */
export const guestListQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'guest list'],
    queryFn: ({ signal }) =>
      dataOrThrow(
        api.GET('/admin/events/{event_slug}/guest_party_summaries', { params: { path: { event_slug: slug } }, signal }),
      ),
    // Comparing thousands of parties with the ones before costs more than it saves.
    structuralSharing: false,
  })
