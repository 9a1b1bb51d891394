import type { Tx } from '../../access/scopes.ts'
import { firstFreeName, slugOf } from '../../definitions/name-things.ts'
import { TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { refuseUnless } from '../../kernel/refusals.ts'
import { SLUG_MAX } from '../definitions.ts'
import { findSlugsStartingWith, lockSlugs } from './records.ts'

/** The slug that was wished for; refused where another event has it or had it. */
export const requireFreeSlug = async (tx: Tx, wished: string, eventId: number | null): Promise<string> => {
  await lockSlugs(tx)
  const owner = (await findSlugsStartingWith(tx, wished)).get(wished)
  refuseUnless(owner === undefined || owner === eventId, { slug: [TAKEN_MESSAGE] })
  return wished
}

/** In the filter of the task board it means tasks without an event, so none is called so by itself. */
const NO_EVENT = 'none'

/** A slug out of the title, which no other event has or had. */
export const generateFreeSlug = async (tx: Tx, title: string): Promise<string> => {
  await lockSlugs(tx)
  const slug = slugOf(title, 'event', SLUG_MAX)
  // Numbers at the end make room for themselves, so what begins like the slug is looked for without its end.
  const taken = await findSlugsStartingWith(tx, slug.slice(0, SLUG_MAX - 10))
  return firstFreeName(slug, (name) => name === NO_EVENT || taken.has(name), SLUG_MAX)
}
