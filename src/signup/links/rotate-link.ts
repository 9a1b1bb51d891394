import type { EventScope } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { newSignupToken } from '../tokens.ts'
import { recordRotation } from './records.ts'
import type { Link } from './rules.ts'

/** Gives the link a fresh address and changes nothing else. */
export const rotateLink = (event: EventScope, publicId: string): Promise<Link> =>
  event.transaction(async (tx) =>
    requireFound(await recordRotation(tx, event.event.id, publicId, newSignupToken(event.app, 'link'))),
  )
