import type { EventScope } from '../../access/scopes.ts'
import { findListedOrders } from './records.ts'
import type { ListedOrder, ShopOrderStatus } from './rules.ts'

const ORDERS_PER_PAGE = 25

export interface OrderPage {
  orders: ListedOrder[]
  nextPage: number | null
}

/** The shop orders of an event, newest first. */
export const listOrders = async (
  event: EventScope,
  { query, status, page }: { query: string; status: ShopOrderStatus | null; page: number },
): Promise<OrderPage> => {
  // One more than is shown tells whether there is a next page.
  const limits = { limit: ORDERS_PER_PAGE + 1, offset: (page - 1) * ORDERS_PER_PAGE }
  const listed = await findListedOrders(event.rows, event.event.id, { query, status, ...limits })
  return {
    orders: listed.slice(0, ORDERS_PER_PAGE),
    nextPage: listed.length > ORDERS_PER_PAGE ? page + 1 : null,
  }
}
