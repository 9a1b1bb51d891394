import { type Kysely, sql } from 'kysely'
import { runPrepared } from '../database/prepared.ts'
import type { Tables } from '../database/table-types.ts'
import type { Caller } from './callers.ts'

interface Place {
  accountId: number
  db: Kysely<Tables>
}

/** What an entry is about: IDs, slugs and plain words. Never a secret, and nothing a guest has written. */
export type AuditSubject = Record<string, string | number | boolean | null | readonly (string | number)[]>

/** By whom: a caller, a member who showed no credential yet, or whoever works on the machine itself. */
type AuditActor = Pick<Caller, 'actor' | 'credential'> | { actor: { membershipId: number; name: string } } | null

export interface AuditEntry {
  action: string
  subject: AuditSubject
  by: AuditActor
}

/**
 * What one request is about to do. The first transaction of its scope writes it down together with the effect, so
 * that neither can exist without the other.
 */
export class PendingAuditEntry {
  readonly action: string
  #subject: AuditSubject
  #isWritten = false

  constructor(action: string, subject: AuditSubject) {
    this.action = action
    this.#subject = subject
  }

  get isWritten(): boolean {
    return this.#isWritten
  }

  /** Adds what is known only now, such as the ID of what was made. */
  add(subject: AuditSubject): void {
    this.#subject = { ...this.#subject, ...subject }
  }

  async write(place: Place, by: AuditActor): Promise<void> {
    await PendingAuditEntry.writeAll(place, [{ note: this, by }])
  }

  /** The notes of several requests that are served together. */
  static async writeAll(place: Place, notes: readonly { note: PendingAuditEntry; by: AuditActor }[]): Promise<void> {
    const unwritten = notes.filter(({ note }) => !note.#isWritten)
    for (const { note } of unwritten) note.#isWritten = true
    await recordAudits(
      place,
      unwritten.map(({ note, by }) => ({ action: note.action, subject: note.#subject, by })),
    )
  }

  /** The transaction was rolled back, and the entry with it. */
  forget(): void {
    this.#isWritten = false
  }
}

/** For what leaves no note by itself: exports, signing in, the command line. */
export const recordAudit = (place: Place, entry: AuditEntry): Promise<void> => recordAudits(place, [entry])

export const recordAudits = async ({ accountId, db }: Place, entries: readonly AuditEntry[]): Promise<void> => {
  if (entries.length === 0) return
  const given = entries.map(({ action, subject, by }) => {
    const credential = by && 'credential' in by ? by.credential : null
    return {
      action,
      subject,
      membership_id: by?.actor.membershipId,
      actor_name: by?.actor.name,
      credential_id: credential?.id,
      credential_kind: credential?.kind,
      credential_description: credential?.description,
    }
  })
  const statement = sql`
    insert into audit_entries (account_id, action, subject, membership_id, actor_name,
      credential_id, credential_kind, credential_description)
    select ${accountId}, given.* from json_to_recordset(${JSON.stringify(given)}::json) as given (action text, subject jsonb,
      membership_id bigint, actor_name text, credential_id bigint, credential_kind text, credential_description text)`
  await runPrepared(db, 'audit-entries', statement)
}
