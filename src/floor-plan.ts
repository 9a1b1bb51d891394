/** The floors of the house, bottom first. A file imports from its own room or from a lower floor. */
export const FLOORS: readonly (readonly string[])[] = [
  ['kernel'],
  ['embedded-postgres', 'outgoing'],
  ['database'],
  ['access', 'mail'],
  ['images', 'jobs', 'loading', 'pdf', 'rich-text'],
  ['http'],
  ['definitions'],
  ['files', 'notifications', 'webhooks', 'pages'],
  ['accounts', 'events', 'team', 'sign-in'],
  ['inventory'],
  ['admissions'],
  ['tickets-by-mail'],
  ['guest-list', 'seat-exchange'],
  ['signup'],
  ['door', 'feed', 'tasks', 'vouchers'],
  ['api-reference', 'assistant', 'consistency', 'venue-file'],
]
