import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { type Part, mailbox, readEml } from '../network/read-eml.ts'

/** A mail that lies there never changes, and long runs write thousands. */
const known = new Map<string, Part>()

/** Every mail that lies in the outbox, oldest first; what is still being written is none yet. */
export const readOutbox = async ({ dataFolder }: { dataFolder: string }): Promise<Part[]> => {
  const folder = path.join(dataFolder, 'outbox')
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.eml'))
  const mails: Part[] = []
  for (const file of files.toSorted()) {
    const place = path.join(folder, file)
    if (!known.has(place)) known.set(place, readEml(await readFile(place)))
    mails.push(known.get(place)!)
  }
  return mails
}

/** Every mail to this address so far, oldest first. */
export const mailsTo = async (venue: { dataFolder: string }, address: string): Promise<Part[]> =>
  (await readOutbox(venue)).filter((mail) => mailbox(mail, 'to').address === address)
