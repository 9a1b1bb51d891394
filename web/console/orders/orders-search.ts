/** Which orders, and what is looked for among them; what is usual is left out. */
interface OrdersSearch {
  status?: 'paid' | 'unpaid' | 'refunded' | 'cancelled' | 'disputed'
  text?: string
}

const ORDER_STATUSES = ['paid', 'unpaid', 'refunded', 'cancelled', 'disputed'] as const

export const validateOrdersSearch = ({ status, text }: Record<string, unknown>): OrdersSearch => {
  const known = ORDER_STATUSES.find((each) => each === status)
  return {
    ...(known && { status: known }),
    ...(typeof text === 'string' && text !== '' && { text: text.slice(0, 200) }),
    ...(typeof text === 'number' && { text: String(text) }),
  }
}
