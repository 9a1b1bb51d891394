import type { EventScope } from '../../access/scopes.ts'
import { attendeeNameOf } from '../../admissions/rules.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { findParty } from '../records.ts'
import type { Party } from '../rules.ts'
import { type LoggedAction, findAuditedActions, findDoorEntries, findImportOf } from './records.ts'

export const HISTORY_KINDS = [
  'created',
  'imported',
  'changed',
  'delivered',
  'moved',
  'seat_moved',
  'admission_cancelled',
  'cancelled',
  'import_undone',
  'came_in',
  'went_out',
  'entry_annulled',
] as const

export interface HistoryEntry {
  kind: (typeof HISTORY_KINDS)[number]
  at: Date
  by: string | null
  /** Whose admission it was, where it was about one. */
  attendeeName: string | null
}

/** The end of an action of the log tells what was done; the longer ends come first. */
const ACTIONS: readonly [ending: string, kind: HistoryEntry['kind']][] = [
  ['/admissions/:admission_public_id/cancellation', 'admission_cancelled'],
  ['/seat_exchange', 'seat_moved'],
  ['/ticket_changes', 'moved'],
  ['/deliveries', 'delivered'],
  ['/cancellations', 'cancelled'],
  ['/cancellation', 'cancelled'],
  ['/:public_id', 'changed'],
]

const DOOR = { entry: 'came_in', exit: 'went_out', annulment: 'entry_annulled' } as const
const LISTED_MAX = 200

/** What became of a party, newest first: from the log, from the door, and from the import that brought it. */
export const readHistory = (event: EventScope, publicId: string): Promise<HistoryEntry[]> =>
  event.consistentRead(async (rows) => {
    const party = requireFound(await findParty(rows, event.event.id, publicId))
    const ids = [party.publicId, ...party.admissions.map((each) => each.publicId)]
    const actions = await findAuditedActions(rows, ids, LISTED_MAX)
    const entries = await findDoorEntries(rows, event.event.id, party.id, LISTED_MAX)
    const imported = await findImportOf(rows, party.id)
    const nameOf = (id: string) => nameOfAdmission(party, id)

    return [
      ...actions.flatMap((logged) => entryOf(logged, nameOf) ?? []),
      ...entries.map(({ kind, publicId: id, by, at }) => ({ kind: DOOR[kind], at, by, attendeeName: nameOf(id) })),
      ...(imported?.undoneAt ? [plain('import_undone', imported.undoneAt, null)] : []),
      plain(imported ? 'imported' : 'created', party.createdAt, party.creatorName),
    ].toSorted((a, b) => b.at.getTime() - a.at.getTime())
  })

const plain = (kind: HistoryEntry['kind'], at: Date, by: string | null): HistoryEntry => ({
  kind,
  at,
  by,
  attendeeName: null,
})

const entryOf = (
  { action, publicId, delivers, by, at }: LoggedAction,
  nameOf: (id: string) => string | null,
): HistoryEntry | null => {
  const kind = ACTIONS.find(([ending]) => action.endsWith(ending))?.[1]
  if (!kind) return null
  return { kind: kind === 'changed' && delivers ? 'delivered' : kind, at, by, attendeeName: nameOf(publicId) }
}

const nameOfAdmission = (party: Party, publicId: string): string | null => {
  const admission = party.admissions.find((each) => each.publicId === publicId)
  return admission ? attendeeNameOf(party, admission) : null
}
