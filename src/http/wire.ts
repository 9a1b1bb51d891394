import { z } from 'zod'

/** Building bricks of answers. What is declared here is all that can leave Foyer. */

/** A schema that the API description names and shows by example. */
export const named = <T extends z.ZodType>(id: string, schema: T, example: z.output<T>): T =>
  schema.meta({ id, examples: [example] })

/** The example a named schema was given, for schemas that contain it. */
export const exampleOf = <T extends z.ZodType>(schema: T): z.output<T> | undefined =>
  (schema.meta()?.examples as z.output<T>[] | undefined)?.[0]

export const Timestamp = z.string().meta({ format: 'date-time' })
export const CalendarDate = z.string().meta({ format: 'date' })

export const Money = named('Money', z.object({ amount: z.string(), currency: z.string() }), {
  amount: '25.00',
  currency: 'EUR',
})

export const Errors = named('Errors', z.object({ errors: z.record(z.string(), z.array(z.string())) }), {
  errors: { base: ['Not found'] },
})

export const DoorError = named('DoorError', z.object({ error: z.string() }), { error: 'Not found' })

/** `revoked` only for the token of a device that was revoked, which wipes itself then and never otherwise. */
export const DoorUnauthorized = named(
  'DoorUnauthenticated',
  DoorError.extend({ revoked: z.literal(true).optional() }),
  { error: 'Authentication required', revoked: true },
)

export const showTimestamp = (date: Date) => date.toISOString()
export const showTimestampOrNull = (date: Date | null) => date && date.toISOString()
