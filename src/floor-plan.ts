/** The floors of Foyer, bottom first. A file imports from its own room or from a lower floor. */
export const FLOORS: readonly (readonly string[])[] = [
  ['kernel'],
  ['embedded-postgres', 'outgoing'],
  ['database'],
  ['access', 'mail'],
  ['images', 'jobs', 'loading', 'pdf', 'rich-text'],
  ['http'],
  ['definitions'],
  ['files', 'notifications', 'webhooks', 'pages'],
  ['inventory'],
  ['accounts', 'events', 'fronts', 'payments', 'team', 'sign-in'],
  ['admissions'],
  ['cancellation-mails', 'tickets-by-mail'],
  ['guest-list', 'seat-exchange'],
  ['signup'],
  ['door', 'feed', 'tasks', 'vouchers'],
  ['api-reference', 'assistant', 'consistency', 'venue-file'],
]

/**
 * The floors inside a folder with sub-folders, bottom first: its sub-folders and its own files, `*.ts` for those that no
 * other floor names. A file imports from its own sub-folder, from beside itself or from a lower floor.
 */
export const INNER_FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  accounts: [['export'], ['*.ts']],
  admissions: [['rules.ts'], ['columns', 'export', 'terms'], ['*.ts']],
  door: [['*.ts'], ['attempts', 'heartbeats', 'night', 'search', 'snapshot'], ['endpoints.ts']],
  'door/attempts': [['attempt.ts', 'wire.ts'], ['at-once', 'ended', 'judged', 'kept', 'log'], ['*.ts']],
  events: [
    ['images', 'definitions.ts'],
    ['export'],
    ['*.ts'],
    ['venues'],
    ['set-up'],
    ['copy', 'parts'],
    ['tickets', 'questions'],
    ['standing-areas', 'places'],
    ['endpoints.ts'],
  ],
  http: [['*.ts'], ['server']],
  inventory: [['rules.ts'], ['claims', 'consistency', 'export', 'releases', 'remaining'], ['holds'], ['*.ts']],
  jobs: [['*.ts'], ['deliveries', 'lanes'], ['enqueue.ts', 'drain.ts', 'worker.ts']],
  payments: [
    ['rules.ts', 'payment-method.ts', 'return-link.ts'],
    ['configuration', 'methods'],
    ['payments.ts', 'records.ts'],
    ['refunds'],
    ['*.ts'],
  ],
  'payments/methods': [['*.ts'], ['stripe']],
  'sign-in': [
    ['rules.ts', 'records.ts', 'headers.ts', 'known-browser.ts', 'complete-sign-in.ts'],
    ['passkeys'],
    ['*.ts'],
  ],
  signup: [['tokens.ts', 'trials.ts'], ['links'], ['requests'], ['pages'], ['export'], ['*.ts']],
  'signup/pages': [['records.ts', 'rules.ts'], ['signups'], ['*.ts']],
  'signup/requests': [['records.ts', 'rules.ts'], ['consistency', 'reviews'], ['*.ts']],
  tasks: [
    ['rules.ts', 'trials.ts'],
    ['attachments', 'export', 'live'],
    ['records.ts', 'wire.ts', 'announce.ts', 'change-board.ts'],
    ['columns', 'entries'],
    ['*.ts'],
  ],
  team: [['*.ts'], ['audit-log', 'credentials', 'invitations'], ['memberships'], ['endpoints.ts', 'venue-section.ts']],
  vouchers: [
    ['rules.ts', 'codes.ts', 'expiry.ts', 'trials.ts'],
    ['products'],
    ['ledger'],
    ['consistency', 'deliveries', 'exports', 'imports', 'reservations'],
    ['expiration', 'venue-export'],
    ['*.ts'],
  ],
  webhooks: [
    ['rules.ts', 'secret.ts', 'signature.ts', 'opaque-id.ts', 'webhook.ts', 'trials.ts'],
    ['webhook-endpoints'],
    ['deliveries'],
    ['messages'],
    ['*.ts'],
  ],
}

/** The floors of the fronts in web/, bottom first; a front has rooms and a frame that leads to them. */
export const WEB_FLOORS = ['api', 'ui', 'rooms', 'frame'] as const
