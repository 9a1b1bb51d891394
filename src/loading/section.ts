import type { z } from 'zod'
import type { Account, Role } from '../access/callers.ts'
import type { App, AppServices } from '../access/app.ts'
import type { TransactionDb, Tx } from '../access/scopes.ts'
import { type JsonPath, fileFaultAt, quoteShortened } from './fault.ts'
import type { ReadingContext } from './fields.ts'

/**
 * One section of the venue file, given by the room that owns its tables. All sections of a file are read before
 * the first of them is loaded; then they load one after the other within one transaction.
 */
export interface Section<Input = unknown> {
  readonly key: string
  schema(terms: ReadingContext): z.ZodType<Input>
  /** Answers with what `load` prints under the section's key; undefined prints nothing. */
  load(context: LoadContext, input: Input, place: JsonPath): Promise<unknown>
  /** The same section of an account as it stands, so that loading it makes the same things again. */
  export(context: ExportContext): ExportedList
}

/** The same inside of an event: loaded once for each event, after the event's own row. */
export interface EventSection<Input = unknown> {
  readonly key: string
  schema(terms: ReadingContext): z.ZodType<Input>
  load(context: LoadContext, event: LoadedEvent, input: Input, place: JsonPath): Promise<unknown>
  export(context: ExportContext, event: ExportedEvent): ExportedList
}

/**
 * The things of a section in the order of the file, read while they are written. A thing may hold further lists of this
 * kind; they are read when it is their turn, and everything else in it is JSON.
 */
export type ExportedList = AsyncIterable<Record<string, unknown>>

export interface ExportContext {
  readonly app: Pick<AppServices, 'secrets'>
  readonly account: Account
  /** All sections are read through it, so all of them are of one moment. */
  readonly rows: TransactionDb
}

/** An event and what its things are called in the file, by their IDs. */
export interface ExportedEvent {
  readonly id: number
  readonly slug: string
  readonly tickets: ReadonlyMap<number, string>
  readonly standingAreas: ReadonlyMap<number, string>
  readonly places: ReadonlyMap<number, string>
  /** In the order in which they are asked. */
  readonly questions: ReadonlyMap<number, string>
}

export interface LoadContext {
  readonly app: App
  readonly account: Account
  readonly tx: Tx
  readonly terms: ReadingContext
  /** The folder of the file, for paths in it; null when the file came from nowhere. */
  readonly folder: string | null
  /** By address, in the order of the file: the first active owner is the account owner. */
  readonly people: Map<string, LoadedMember>
  /** By slug. */
  readonly events: Map<string, LoadedEvent>
  /** For what refers to sections that load later: runs when all of them have. */
  later(work: () => Promise<void>): void
}

export interface LoadedMember {
  personId: number
  membershipId: number
  credentialEpoch: number
  name: string
  email: string
  role: Role
  isActive: boolean
}

/** An event and, by their keys, the things of it that other sections name. */
export interface LoadedEvent {
  readonly id: number
  readonly slug: string
  readonly title: string
  readonly startsAt: Date
  readonly tickets: Map<string, LoadedTicket>
  readonly standingAreas: Map<string, LoadedStandingArea>
  readonly places: Map<string, LoadedPlace>
  readonly questions: Map<string, LoadedQuestion>
}

/** An event that has nothing yet. */
export const emptyLoadedEvent = (event: Pick<LoadedEvent, 'id' | 'slug' | 'title' | 'startsAt'>): LoadedEvent => ({
  ...event,
  tickets: new Map(),
  standingAreas: new Map(),
  places: new Map(),
  questions: new Map(),
})

export interface LoadedTicket {
  id: number
  title: string
  kind: 'StandardTicket' | 'GroupTicket'
  inventoryKind: 'ga' | 'standing' | 'places'
  priceCents: number
  groupSize: number | null
}

export interface LoadedStandingArea {
  id: number
  name: string
  /** The keys of the tickets that open it. */
  tickets: readonly string[]
}

export interface LoadedPlace {
  id: number
  label: string
  section: string | null
  row: string | null
  seat: string | null
  accessibility: string | null
  /** The key of the ticket it is sold with. */
  ticket: string
  pair: string | null
}

export interface LoadedQuestion {
  id: number
  label: string
  type: string
  scope: 'order' | 'attendee'
}

/** What the key of another part of the file stands for. */
export const findByKey = <T>(things: ReadonlyMap<string, T>, name: string, place: JsonPath, noun: string): T => {
  const thing = things.get(name)
  if (thing === undefined) throw fileFaultAt(place, `there is no ${noun} ${quoteShortened(name)}`)
  return thing
}

/** What one section leaves for a later one of its own room, kept for each file or event by itself. */
export const createSharedLookup = <T>() => {
  const maps = new WeakMap<LoadContext | LoadedEvent, Map<string, T>>()
  return (owner: LoadContext | LoadedEvent): Map<string, T> => {
    const kept = maps.get(owner) ?? new Map<string, T>()
    maps.set(owner, kept)
    return kept
  }
}

/** What `load` prints of things that have keys. */
export const idsByKey = (things: ReadonlyMap<string, { id: number }>): Record<string, number> =>
  Object.fromEntries(Array.from(things, ([name, { id }]) => [name, id]))
