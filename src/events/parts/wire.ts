import { z } from 'zod'
import { unwrappedBody } from '../../http/body.ts'
import { integer, optionalInteger } from '../../http/fields.ts'

/** Where a thing of an event stands among its like, from 1. */
export const PositionBody = unwrappedBody(
  z.object({ position: integer({ least: 1 }), lock_version: optionalInteger() }),
)
