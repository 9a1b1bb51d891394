import { z } from 'zod'
import { fields } from '../../http/body.ts'
import { integer, optionalInteger } from '../../http/fields.ts'

/** Where a thing of an event stands among its like, from 1. */
export const PositionBody = fields(z.object({ position: integer({ least: 1 }), lock_version: optionalInteger() }))
