import { z } from 'zod'
import { named } from '../http/wire.ts'

/** What somebody is told who stands in line. */
export interface PlaceInLine {
  token: string
  /** How many are in front and oneself; null until the lots are drawn. */
  position: number | null
  retryAfterSeconds: number
}

export const QueueAnswer = named(
  'Queue',
  z.object({
    queue: z.object({ token: z.string(), position: z.int().nullable(), retry_after: z.int() }),
  }),
  { queue: { token: 'dGhlIGxpbmUgb3V0c2lkZQ', position: 212, retry_after: 5 } },
)

export const showQueue = ({ token, position, retryAfterSeconds }: PlaceInLine): z.output<typeof QueueAnswer> => ({
  queue: { token, position, retry_after: retryAfterSeconds },
})
