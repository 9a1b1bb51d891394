import type { ShopScope } from '../access/access.ts'

/** Each is drawn anew, page by page, and everybody's pages wait for one another: nobody needs the same paper this often. */
const DOCUMENTS_PER_MINUTE = 60
const DOCUMENTS_OF_AN_ORDER_PER_MINUTE = 10

/** For whoever asks for a paper of an order that is there, by the token of its page. */
export const spendDocument = ({ app }: ShopScope, ip: string, token: string): void => {
  app.budgets.of('documents of an order', DOCUMENTS_OF_AN_ORDER_PER_MINUTE).spend(token)
  app.budgets.of('documents from an address', DOCUMENTS_PER_MINUTE).spend(ip)
}
