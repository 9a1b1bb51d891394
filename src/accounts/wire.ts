import { z } from 'zod'
import type { CallerScope } from '../access/scopes.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { showThing, wireShape } from '../definitions/answers.ts'
import { changeBody } from '../definitions/bodies.ts'
import { Timestamp, named, showTimestamp } from '../http/wire.ts'
import { accountDefinition } from './definitions.ts'
import type { StoredAccount } from './records.ts'

export const AccountChangesBody = changeBody('account', accountDefinition, () => ({}))

export type AccountChangesInput = ReturnType<typeof AccountChangesBody.read>

export const AccountAnswer = named(
  'Account',
  z.object({ ...wireShape(accountDefinition), shop_url: z.string(), created_at: Timestamp, updated_at: Timestamp }),
  {
    name: 'Kaispeicher',
    subdomain: 'kaispeicher',
    currency: 'EUR',
    time_zone: 'Europe/Berlin',
    language: 'en',
    shop_published: true,
    custom_domains: ['tickets.kaispeicher.example'],
    reply_to_email: 'office@kaispeicher.example',
    shop_url: 'https://kaispeicher.foyer.example',
    created_at: '2026-10-01T09:00:00.000Z',
    updated_at: '2026-10-01T09:00:00.000Z',
  },
)

export const showAccount = ({ app, account }: CallerScope, stored: StoredAccount): z.output<typeof AccountAnswer> => ({
  ...showThing(accountDefinition, stored.thing, account),
  shop_url: shopOrigin(app, account.subdomain),
  created_at: showTimestamp(stored.row.created_at),
  updated_at: showTimestamp(stored.row.updated_at),
})
