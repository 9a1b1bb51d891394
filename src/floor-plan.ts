/** The floors of Foyer, bottom first. A file imports from its own room or from a lower floor. */
export const FLOORS: readonly (readonly string[])[] = [
  ['languages'],
  ['kernel'],
  ['embedded-postgres', 'outgoing'],
  ['database'],
  ['access', 'mail'],
  ['images', 'jobs', 'loading', 'pdf', 'rich-text'],
  ['http'],
  ['definitions'],
  ['changes', 'files', 'notifications', 'webhooks', 'pages'],
  ['inventory'],
  ['accounts', 'events', 'fronts', 'payments', 'team', 'sign-in'],
  ['admissions'],
  ['wallet'],
  ['cancellation-mails', 'tickets-by-mail'],
  ['guest-list', 'seat-exchange'],
  ['signup'],
  ['door', 'event-summaries', 'feed', 'tasks', 'vouchers', 'waiting-room'],
  ['orders'],
  ['checkouts'],
  ['shards'],
  ['api-reference', 'assistant', 'backup', 'consistency', 'metrics', 'tracing', 'venue-file'],
  ['monitoring'],
  ['installation'],
]

/**
 * The floors inside a folder with sub-folders, bottom first: its sub-folders and its own files, `*.ts` for those that no
 * other floor names. A file imports from its own sub-folder, from beside itself or from a lower floor.
 */
export const INNER_FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  accounts: [['export'], ['*.ts']],
  checkouts: [
    ['rules.ts', 'inputs.ts', 'words.ts'],
    ['order-facts', 'sale-view', 'terms'],
    ['*.ts'],
    ['pages'],
    ['endpoints.ts'],
  ],
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
  'guest-list': [['typed-party'], ['*.ts'], ['bulk', 'history', 'imports', 'summaries'], ['endpoints.ts']],
  http: [['*.ts'], ['server']],
  inventory: [['rules.ts'], ['claims', 'consistency', 'export', 'releases', 'remaining'], ['holds'], ['*.ts']],
  jobs: [['*.ts'], ['deliveries', 'lanes'], ['enqueue.ts', 'drain.ts', 'worker.ts']],
  orders: [['tokens.ts'], ['receipts'], ['accounting', 'consistency', 'mails', 'view'], ['*.ts'], ['endpoints.ts']],
  payments: [
    ['rules.ts', 'payment-method.ts', 'return-link.ts'],
    ['configuration', 'methods'],
    ['payments.ts', 'records.ts'],
    ['refunds'],
    ['*.ts'],
  ],
  'payments/methods': [['*.ts'], ['stripe']],
  'sign-in': [
    ['rules.ts', 'records.ts', 'headers.ts', 'known-browser.ts', 'complete-sign-in.ts', 'words.ts'],
    ['passkeys'],
    ['*.ts'],
  ],
  signup: [['tokens.ts', 'example-setups.ts'], ['links'], ['requests'], ['pages'], ['export', 'poster'], ['*.ts']],
  'signup/pages': [['records.ts', 'rules.ts'], ['signups'], ['*.ts']],
  'signup/requests': [['records.ts', 'rules.ts'], ['consistency', 'reviews'], ['*.ts']],
  tasks: [
    ['rules.ts', 'example-setups.ts'],
    ['viewers'],
    ['attachments', 'export', 'live'],
    ['records.ts', 'wire.ts', 'announce.ts', 'change-board.ts'],
    ['columns', 'entries'],
    ['*.ts'],
  ],
  team: [['*.ts'], ['audit-log', 'credentials', 'invitations'], ['memberships'], ['endpoints.ts', 'venue-section.ts']],
  vouchers: [
    ['rules.ts', 'codes.ts', 'expiry.ts', 'example-setups.ts'],
    ['products'],
    ['ledger'],
    ['consistency', 'deliveries', 'exports', 'imports', 'reservations'],
    ['expiration', 'venue-export'],
    ['*.ts'],
  ],
  wallet: [
    ['rules.ts', 'words.ts', 'remote-service-errors.ts'],
    ['facts', 'configuration'],
    ['apple', 'google'],
    ['*.ts'],
  ],
  'waiting-room': [['ceilings', 'sale'], ['*.ts']],
  webhooks: [
    ['rules.ts', 'secret.ts', 'signature.ts', 'opaque-id.ts', 'webhook.ts', 'example-setups.ts'],
    ['webhook-endpoints'],
    ['deliveries'],
    ['messages'],
    ['*.ts'],
  ],
}

/**
 * The floors of the fronts in web/, bottom first; a front has rooms and a frame that leads to them, and may have a base
 * that its rooms share.
 */
export const WEB_FLOORS = ['api', 'ui', 'base', 'rooms', 'frame'] as const
