import type { Tx } from '../../access/scopes.ts'
import { firstFree, slugOf } from '../../definitions/name-things.ts'
import { TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { refuseUnless } from '../../kernel/refusals.ts'
import { SLUG_MAX } from '../definitions.ts'
import { findSlugs, lockSlugs } from './records.ts'

/** The slug that was wished for; refused where another event has it or had it. */
export const takeSlug = async (tx: Tx, wished: string, eventId: number | null): Promise<string> => {
  await lockSlugs(tx)
  const owner = (await findSlugs(tx, wished)).get(wished)
  refuseUnless(owner === undefined || owner === eventId, { slug: [TAKEN_MESSAGE] })
  return wished
}

/** A slug out of the title, which no other event has or had. */
export const makeSlug = async (tx: Tx, title: string): Promise<string> => {
  await lockSlugs(tx)
  const slug = slugOf(title, 'event', SLUG_MAX)
  // Numbers at the end make room for themselves, so what begins like the slug is looked for without its end.
  const taken = await findSlugs(tx, slug.slice(0, SLUG_MAX - 10))
  return firstFree(slug, (name) => taken.has(name), SLUG_MAX)
}
