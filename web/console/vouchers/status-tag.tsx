import { Badge } from '@mantine/core'
import { useWords } from '../../ui/words.ts'
import type { Status } from './rules.ts'
import { voucherWords } from './words.ts'

const COLOURS: Record<Status, string> = { active: 'good', blocked: 'bad', expired: 'warn', depleted: 'gray' }

export const StatusTag = ({ status }: { status: Status }) => {
  const words = useWords(voucherWords)
  return (
    <Badge color={COLOURS[status]} variant="light" tt="none" radius="sm" miw="fit-content">
      {words.statuses[status]}
    </Badge>
  )
}
