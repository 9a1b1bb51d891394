import { Badge } from '@mantine/core'
import { useWords } from '../../ui/words.ts'
import type { Order } from './rules.ts'
import { orderWords } from './words.ts'

const COLOURS: Record<Order['status'], string> = {
  paid: 'good',
  unpaid: 'warn',
  refunded: 'gray',
  cancelled: 'gray',
  disputed: 'bad',
}

export const StatusTag = ({ status }: Pick<Order, 'status'>) => {
  const words = useWords(orderWords)
  return (
    <Badge color={COLOURS[status]} variant="light" tt="none" radius="sm" miw="fit-content">
      {words.statuses[status]}
    </Badge>
  )
}
