import type { z } from 'zod'
import type { App } from '../access/app.ts'
import { type Operator, operatorTransaction } from '../access/operator.ts'
import { requireAppOn } from '../access/shards.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { accountSchema, loadAccount } from '../accounts/venue-section.ts'
import { FileFault, fileFaultAt, readWithSchema } from '../loading/fault.ts'
import type { ReadingContext } from '../loading/fields.ts'
import type { LoadContext } from '../loading/section.ts'
import { readJson } from './read-json.ts'
import { SECTIONS } from './sections.ts'

export interface LoadOptions {
  /** Where paths in the file begin. */
  folder?: string
  /** On which server the account is founded; the first, if none is named. */
  shard?: string | undefined
}

/** What `load` prints: everything the file made, by the names the file gave it, with tokens in clear this once. */
export interface LoadReport {
  account: { id: number; subdomain: string; shop_url: string }
  people: Record<string, { user_id: number; membership_id: number }>
  invitations: Record<string, { id: number }>
  api_tokens: Record<string, string>
  devices: Record<string, string>
  events: Record<string, EventReport>
  voucher_products: Record<string, { id: string }>
  vouchers: Record<string, { id: string; code: string; deliveries: string[] }>
  voucher_imports: Record<string, { id: string }>
}

export interface EventReport {
  id: number
  tickets: Record<string, number>
  standing_areas: Record<string, number>
  places: Record<string, number>
  questions: Record<string, number>
  orders: Record<string, { public_id: string; order_code: string; items: AdmissionReport[] }>
  guest_parties: Record<string, { public_id: string; admissions: AdmissionReport[] }>
  signup_links: Record<string, { public_id: string; public_url: string }>
}

interface AdmissionReport {
  public_id: string
  check_in_code: string
}

/** Loads a venue file, whole or not at all; a FileFault says what is wrong with it and where. */
export const loadVenue = async (app: App, text: string, options: LoadOptions = {}): Promise<LoadReport> => {
  const file = readJson(text)
  const there = options.shard === undefined ? app : requireAppOn(app, options.shard)
  return operatorTransaction(there, (operator) => loadParsedFile({ app: there, operator, ...options }, file))
}

interface Loading extends LoadOptions {
  app: App
  operator: Operator
}

/** The same with the file already parsed, within a transaction of the operator. */
export const loadParsedFile = async ({ app, operator, folder }: Loading, file: unknown): Promise<LoadReport> => {
  const values = readKeys(file)
  const now = await operator.now()
  const account = readWithSchema(accountSchema(now), values['account'], ['account'])
  const terms: ReadingContext = { now, currency: account.currency, timeZone: account.time_zone }
  const inputs = readSections(terms, values)

  const opened = await loadAccount({ app, operator, now }, account, ['account'])
  const last: (() => Promise<void>)[] = []
  const context: LoadContext = {
    app,
    ...opened,
    terms,
    folder: folder ?? null,
    people: new Map(),
    events: new Map(),
    later: (work) => void last.push(work),
  }

  const parts: Record<string, unknown> = {}
  for (const [n, section] of SECTIONS.entries()) {
    const part = await section.load(context, inputs[n], [section.key])
    if (part !== undefined) parts[section.key] = part
  }
  for (const work of last) await work()

  const { id, subdomain } = opened.account
  return { account: { id, subdomain, shop_url: shopOrigin(app, subdomain) }, ...parts } as LoadReport
}

interface Reader extends ReadingContext {
  now: Date
  schemas: readonly z.ZodType[]
}

let latestReader: Reader | null = null

/** To make the schemas takes longer than to read most files with them: a file of the same terms is read with the same ones. */
const readerOf = ({ now, currency, timeZone }: ReadingContext): Reader => {
  if (latestReader?.currency === currency && latestReader.timeZone === timeZone) {
    latestReader.now = now
    return latestReader
  }
  const reader: Reader = { now, currency, timeZone, schemas: [] }
  reader.schemas = SECTIONS.map((section) => section.schema(reader))
  latestReader = reader
  return reader
}

/** In one go: nobody else reads before the last section is read. */
const readSections = (terms: ReadingContext, values: Record<string, unknown>): unknown[] => {
  const { schemas } = readerOf(terms)
  return SECTIONS.map(({ key }, n) => readWithSchema(schemas[n]!, values[key], [key]))
}

const KEYS = new Set(['account', ...SECTIONS.map(({ key }) => key)])

const readKeys = (file: unknown): Record<string, unknown> => {
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw new FileFault('The file is not an object.')
  const unknown = Object.keys(file).find((key) => !KEYS.has(key))
  if (unknown !== undefined) throw fileFaultAt([unknown], 'is an unknown key')
  return file as Record<string, unknown>
}
