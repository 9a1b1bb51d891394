import { randomInt } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { App } from '../access/app.ts'
import { operatorTransaction } from '../access/operator.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { digestOf } from '../access/tokens.ts'
import { makeDataFolder } from '../kernel/data-folder.ts'
import { Misconfigured } from '../kernel/settings.ts'
import { addDuration } from '../kernel/durations.ts'
import { type LoadReport, loadParsedFile } from './load-venue.ts'

/** What the banner prints of the demo venue. Its secrets are this installation's own. */
export interface Demo extends Secrets {
  baseUrl: string
  shopUrl: string
}

const Secrets = z.object({
  subdomain: z.string(),
  email: z.string(),
  password: z.string(),
  readToken: z.string(),
  writeToken: z.string(),
  coOrganizerToken: z.string(),
  deviceToken: z.string(),
})

type Secrets = z.output<typeof Secrets>

/** The demo venue: loaded when there is no account yet, and remembered at later starts. Null where there is none. */
export const loadDemoWhenEmpty = async (app: App): Promise<Demo | null> => {
  if (!app.settings.loadsDemo) return null

  const loaded = await operatorTransaction(app, async (operator) => {
    if (!(await operator.isFirst())) return null
    const password = newPassword()
    const venue = await readDemoVenue(password)
    const report = await loadParsedFile({ app, operator, folder: import.meta.dirname }, venue)
    // Kept before the transaction commits: after a crash there may be secrets without a demo, never the reverse.
    const secrets = secretsOf(report, password)
    await keepSecrets(app, secrets)
    return secrets
  })

  const secrets = loaded ?? (await recallSecrets(app))
  return secrets && { ...secrets, baseUrl: app.settings.baseUrl, shopUrl: shopOrigin(app, secrets.subdomain) }
}

const FILE = path.join(import.meta.dirname, 'demo-venue.json')

const OWNER = 'henrike@kaispeicher.example'

interface DemoVenue {
  people: { email: string; password?: string }[]
  events: Record<string, unknown>[]
}

const readDemoVenue = async (password: string): Promise<DemoVenue> => {
  const venue = JSON.parse(await readFile(FILE, 'utf8')) as DemoVenue
  const people = venue.people.map((person) => (person.email === OWNER ? { ...person, password } : person))
  const evening = thisEvening(new Date())
  return { ...venue, people, events: venue.events.map((event) => startingAt(event, evening)) }
}

/** The hour from which the times of the demo's events are counted, so that its concerts start when concerts do. */
const EVENING_UTC = 19

const thisEvening = (now: Date) => new Date(new Date(now).setUTCHours(EVENING_UTC, 0, 0, 0))

const EVENT_TIMES = ['starts_at', 'doors_open_at', 'ends_at']

const startingAt = (event: Record<string, unknown>, evening: Date) => ({
  ...event,
  ...Object.fromEntries(
    EVENT_TIMES.filter((key) => typeof event[key] === 'string').map((key) => [
      key,
      addDuration(evening, String(event[key]))?.toISOString(),
    ]),
  ),
})

const PASSWORD_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const PASSWORD_GROUPS = 5

/** One hundred random bits in groups that can be typed from the screen. */
const newPassword = () =>
  Array.from({ length: PASSWORD_GROUPS }, () =>
    Array.from({ length: 4 }, () => PASSWORD_LETTERS[randomInt(PASSWORD_LETTERS.length)]).join(''),
  ).join('-')

const secretsOf = ({ account, api_tokens: tokens, devices }: LoadReport, password: string): Secrets =>
  Secrets.parse({
    subdomain: account.subdomain,
    email: OWNER,
    password,
    readToken: tokens['Website, reading'],
    writeToken: tokens['Box office, writing'],
    coOrganizerToken: tokens['Łukasz, co-organizer'],
    deviceToken: devices['Main entrance'],
  })

const secretsFile = ({ settings }: App) => path.join(settings.dataFolder, 'demo.json')

const keepSecrets = async (app: App, secrets: Secrets) => {
  const file = secretsFile(app)
  const draft = `${file}.${process.pid}`
  try {
    makeDataFolder(app.settings.dataFolder)
    await rm(draft, { force: true })
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(secrets, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    throw new Misconfigured(
      `The data folder ${app.settings.dataFolder} cannot be written: ${(error as Error).message}.`,
    )
  }
}

/** What was kept, as long as it opens the demo of this very database: the folder may have served another one. */
const recallSecrets = async (app: App): Promise<Secrets | null> => {
  const text = await readFile(secretsFile(app), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Misconfigured(`The file ${secretsFile(app)} cannot be read: ${error.message}.`)
  })
  if (text === null) return null

  const secrets = readSecrets(text)
  if (!secrets) {
    app.log.warn({ file: secretsFile(app) }, 'the secrets of the demo venue cannot be read')
    return null
  }
  const introduction = await app.directory.findCaller({ digest: digestOf(secrets.readToken), eventSlug: null })
  return introduction?.caller.account.subdomain === secrets.subdomain ? secrets : null
}

const readSecrets = (text: string): Secrets | null => {
  try {
    return Secrets.parse(JSON.parse(text))
  } catch {
    return null
  }
}
