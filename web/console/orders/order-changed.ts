import { useQueryClient } from '@tanstack/react-query'
import type { Order } from './rules.ts'

/** An order that has changed is read anew, and so is every list that shows it. */
export const useOrderChanged = (order: Order) => {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['orders', order.public_id] }),
      queries.invalidateQueries({ queryKey: ['vouchers'] }),
      order.event && queries.invalidateQueries({ queryKey: ['events', order.event.slug] }),
    ])
}
