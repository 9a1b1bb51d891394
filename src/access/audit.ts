import { type Kysely, sql } from 'kysely'
import type { Tables } from '../database/table-types.ts'
import type { Caller } from './callers.ts'

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
export class AuditNote {
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

  async write(place: { accountId: number; db: Kysely<Tables> }, by: AuditActor): Promise<void> {
    if (this.#isWritten) return
    this.#isWritten = true
    await recordAudit(place, { action: this.action, subject: this.#subject, by })
  }

  /** The transaction was rolled back, and the entry with it. */
  forget(): void {
    this.#isWritten = false
  }
}

/** For what leaves no note by itself: exports, signing in, the command line. */
export const recordAudit = async (
  { accountId, db }: { accountId: number; db: Kysely<Tables> },
  { action, subject, by }: AuditEntry,
): Promise<void> => {
  const credential = by && 'credential' in by ? by.credential : null
  await sql`
    insert into audit_entries (account_id, action, subject, membership_id, actor_name,
      credential_id, credential_kind, credential_description)
    values (${accountId}, ${action}, ${JSON.stringify(subject)}::jsonb,
      ${by?.actor.membershipId ?? null}, ${by?.actor.name ?? null},
      ${credential?.id ?? null}, ${credential?.kind ?? null}, ${credential?.description ?? null})`.execute(db)
}
