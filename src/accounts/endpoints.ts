import { accountOwner, setupManagement } from '../access/access.ts'
import { ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { requireFound } from '../kernel/refusals.ts'
import { changeAccount } from './change-account.ts'
import { findAccount } from './records.ts'
import { AccountAnswer, AccountChangesBody, showAccount } from './wire.ts'

const account = endpoint({
  method: 'GET',
  path: '/admin/account',
  operationId: 'getAccount',
  says: 'The account: its name, currency, time zone, language and the addresses of its shop.',
  access: setupManagement('read'),
  answers: { 200: AccountAnswer },
  handle: async ({ account: scope }) => ok(showAccount(scope, requireFound(await findAccount(scope.rows)))),
})

const accountChange = endpoint({
  method: 'PATCH',
  path: '/admin/account',
  operationId: 'updateAccount',
  says: 'Changes what is sent of the account; the currency is fixed once an order or a voucher exists.',
  access: accountOwner('write'),
  body: AccountChangesBody,
  example: { account: { language: 'de', reply_to_email: 'office@kaispeicher.example' } },
  answers: { 200: AccountAnswer },
  handle: async ({ account: scope, body }) => ok(showAccount(scope, await changeAccount(scope, body))),
})

export const accountEndpoints = [account, accountChange]
