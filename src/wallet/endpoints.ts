import { accountOwner, setupManagement } from '../access/access.ts'
import { signedLinkHolder } from '../access/signed-links.ts'
import type { AccountScope } from '../access/scopes.ts'
import { ok } from '../http/answers.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { languageOfRequest } from '../http/request-language.ts'
import { seeOther } from '../pages/console-page.ts'
import { changeWallet } from './change-wallet.ts'
import { findAccountWallet } from './configuration/records.ts'
import { answerWithApplePass, redirectToGoogleWallet } from './give-pass.ts'
import { orderPassesPage } from './order-passes.ts'
import { phoneEndpoints } from './phone-endpoints.ts'
import { ORDER_LINK, PASS_LINK } from './rules.ts'
import { WalletAnswer, WalletChanges, showWallet } from './wire.ts'

/** Nobody takes more tickets a minute than this; each of them is signed anew. */
const PASSES_PER_MINUTE = 60

const spendPass = ({ app }: AccountScope, ip: string) =>
  app.budgets.of('wallet passes from an address', PASSES_PER_MINUTE).spend(ip)

const applePass = endpoint({
  method: 'GET',
  path: '/wallet/apple/:signed_link',
  says: 'A ticket for Apple Wallet.',
  access: signedLinkHolder(PASS_LINK),
  answers: {},
  undocumented: true,
  handle: async ({ account, link, ip }) => {
    spendPass(account, ip)
    return answerWithApplePass(account, link.id)
  },
})

const googlePass = endpoint({
  method: 'GET',
  path: '/wallet/google/:signed_link',
  says: 'Leads to Google Wallet, with a ticket.',
  access: signedLinkHolder(PASS_LINK),
  answers: {},
  undocumented: true,
  handle: async ({ account, link, ip }) => {
    spendPass(account, ip)
    return seeOther(await redirectToGoogleWallet(account, link.id))
  },
})

const orderPasses = endpoint({
  method: 'GET',
  path: '/wallet/orders/:signed_link',
  says: 'The tickets of an order, each with its wallets.',
  access: signedLinkHolder(ORDER_LINK),
  answers: {},
  undocumented: true,
  handle: ({ account, link, headers }) =>
    orderPassesPage(account, link.id, languageOfRequest(account.account, headers)),
})

const walletSettings = endpoint({
  method: 'GET',
  path: '/admin/wallet',
  operationId: 'getWallet',
  says: 'How tickets in wallets look, who signs them, and when a certificate ends: `warning_days` is 60, 14 or 3 once so few days are left, 0 when it has ended. Keys are never shown.',
  access: setupManagement('read'),
  answers: { 200: WalletAnswer },
  handle: async ({ account }) => ok(showWallet(account.app, account.account.id, await findAccountWallet(account.rows))),
})

const walletChange = endpoint({
  method: 'PATCH',
  path: '/admin/wallet',
  operationId: 'updateWallet',
  says: 'Changes how tickets in wallets look, or who signs them where the account has its own certificate (PEM) or Google issuer. The logo is the signed ID of an uploaded image. A certificate comes with its key and intermediate, an issuer with its key; null takes them away. Installed passes are told.',
  access: accountOwner('write'),
  body: WalletChanges,
  bodyLimit: 128 * 1024,
  example: { wallet: { color: '#1f3a5f' } },
  answers: { 200: WalletAnswer },
  handle: async ({ account, body }) =>
    ok(showWallet(account.app, account.account.id, await changeWallet(account, body))),
})

export const walletEndpoints: Endpoint[] = [walletSettings, walletChange]

/** For guests and their phones; kept out of the API description. */
export const walletPageEndpoints: Endpoint[] = [applePass, googlePass, orderPasses, ...phoneEndpoints]
