import type { CallerScope } from '../../access/scopes.ts'
import { computeChange, requireVersion } from '../../definitions/change.ts'
import { assignMissingKeys } from '../../definitions/name-things.ts'
import { insertThings, readTransactionTime, updateThing } from '../../definitions/records.ts'
import { TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { venueDefinition } from '../definitions.ts'
import { type Venue, deleteVenue, findVenue, isVenueInUse, lockVenue, lockVenueKeys } from './records.ts'
import type { NewVenueInput, VenueChangesInput } from './wire.ts'

export const createVenue = (account: CallerScope, input: NewVenueInput): Promise<Venue> =>
  account.transaction(async (tx) => {
    const taken = await lockVenueKeys(tx)
    refuseUnless(input.key === null || !taken.has(input.key), { key: [TAKEN_MESSAGE] })
    const venues = assignMissingKeys([input], ({ name }) => name, 'venue', taken)
    const [id] = await insertThings(tx, 'venues', venueDefinition, venues, { now: await readTransactionTime(tx) })
    account.note?.add({ id: id! })
    return requireFound(await findVenue(tx, id!))
  })

/** Changes what was sent and keeps the rest; what changes nothing is no change. */
export const changeVenue = (account: CallerScope, id: number, sent: VenueChangesInput): Promise<Venue> =>
  account.transaction(async (tx) => {
    const taken = await lockVenueKeys(tx)
    const venue = requireFound(await lockVenue(tx, id))
    requireVersion(venue, sent.lock_version, 'venue')
    const { columns, keys } = computeChange(venueDefinition, venue, sent, await readTransactionTime(tx))
    refuseUnless(!keys.includes('key') || !taken.has(sent.key!), { key: [TAKEN_MESSAGE] })
    if (keys.length > 0) await updateThing(tx, 'venues', id, columns)
    return requireFound(await findVenue(tx, id))
  })

export const removeVenue = (account: CallerScope, id: number): Promise<void> =>
  account.transaction(async (tx) => {
    requireFound(await lockVenue(tx, id))
    refuseUnless(!(await isVenueInUse(tx, id)), 'Events take place at this venue')
    await deleteVenue(tx, id)
  })
