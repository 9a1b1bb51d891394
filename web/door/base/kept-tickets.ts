import { withDatabase } from './database.ts'
import { events } from './state.ts'
import { type PackedTicket, PACKED_INDEX, type Ticket } from './ticket.ts'
import { inOrder, makeIndex } from './ticket-index.ts'
import { readAllTickets, readTickets, prepareReplacement, setTicketsOnDisk, mergeNewerTickets } from './tickets.ts'

/** How many tickets are read at once; one of them is wanted within 20 ms. */
const CHUNK = 100

const chunksOf = (slug: string) => IDBKeyRange.bound([slug, 0], [slug, Infinity])

/** A whole snapshot, in memory and in pieces on the disk. */
export const storeSnapshot = async (slug: string, given: readonly PackedTicket[]): Promise<void> => {
  // Nothing is read from pieces that are about to be others.
  await readAllTickets(slug)
  // At one moment: what was heard before is in the pieces, and what is heard from here on is written after them.
  const replacement = prepareReplacement(slug, given)
  const tickets = inOrder(replacement.tickets)
  await withDatabase(async (db) => {
    const transaction = db.transaction(['chunks', 'changes', 'indexes'], 'readwrite')
    await transaction.objectStore('chunks').delete(chunksOf(slug))
    for (let n = 0; n * CHUNK < tickets.length; n++) {
      const text = JSON.stringify(tickets.slice(n * CHUNK, (n + 1) * CHUNK))
      void transaction.objectStore('chunks').put(text, [slug, n])
    }
    void transaction.objectStore('indexes').put(makeIndex(tickets), slug)
    const changes = transaction.objectStore('changes')
    for (const key of await changes.index('slug').getAllKeys(slug)) void changes.delete(key)
    await transaction.done
  })
  replacement.commit()
}

/** What the server says of single tickets now. Of a chosen event also before its snapshot is here, which is then older. */
export const storeChangedTickets = async (tickets: readonly Ticket[]): Promise<void> => {
  const kept = events.value.filter(({ isChosen, generatedAt }) => isChosen || generatedAt !== null)
  const known = new Set(kept.map(({ slug }) => slug))
  // Phones at doors are old: they know no Map.groupBy.
  for (const slug of new Set(tickets.map(({ eventSlug }) => eventSlug))) {
    if (!known.has(slug)) continue
    const some = tickets.filter(({ eventSlug }) => eventSlug === slug)
    await readTickets(
      slug,
      some.map(({ publicId }) => publicId),
    )
    await writeChanges(slug, mergeNewerTickets(slug, some))
  }
}

const writeChanges = async (slug: string, changed: readonly PackedTicket[]) => {
  if (changed.length === 0) return
  await withDatabase(async (db) => {
    const transaction = db.transaction('changes', 'readwrite')
    for (const ticket of changed) void transaction.store.put({ slug, ticket }, ticket[PACKED_INDEX.publicId] as string)
    await transaction.done
  })
}

/** How many lie beside the pieces. */
export const countUnmergedChanges = async (slug: string): Promise<number> =>
  withDatabase((db) => db.countFromIndex('changes', 'slug', slug))

/** Opens what is on the disk: its index now, the tickets when they are wanted or when there is time. */
export const loadTickets = async (slug: string): Promise<void> => {
  const [index, changes] = await withDatabase((db) =>
    Promise.all([db.get('indexes', slug), db.getAllFromIndex('changes', 'slug', slug)]),
  )
  if (!index) return
  setTicketsOnDisk(slug, {
    index,
    changes: changes.map(({ ticket }) => ticket),
    perPiece: CHUNK,
    readPiece: async (piece) =>
      JSON.parse((await withDatabase((db) => db.get('chunks', [slug, piece]))) ?? '[]') as PackedTicket[],
  })
}

export const deleteStoredTickets = async (slug: string): Promise<void> => {
  await withDatabase(async (db) => {
    const transaction = db.transaction(['chunks', 'changes', 'indexes'], 'readwrite')
    void transaction.objectStore('chunks').delete(chunksOf(slug))
    void transaction.objectStore('indexes').delete(slug)
    const changes = transaction.objectStore('changes')
    for (const key of await changes.index('slug').getAllKeys(slug)) void changes.delete(key)
    await transaction.done
  })
}
