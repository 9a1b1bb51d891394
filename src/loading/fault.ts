import type { z } from 'zod'

/** What is wrong with a venue file, in one sentence that names the place. Nothing of the file was loaded. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
}

/** The way to a value in the file, like ['events', 0, 'tickets', 2, 'price']. */
export type JsonPath = readonly PropertyKey[]

export const fileFaultAt = (place: JsonPath, sentence: string) => new FileFault(`${showJsonPath(place)}: ${sentence}.`)

const KEY_SHOWN_MAX = 80

/** events[0].tickets[2].price; whatever is no plain word stands in quotes, so that the sentence stays one line. */
export const showJsonPath = (place: JsonPath): string => {
  if (place.length === 0) return 'the file'
  const [first, ...rest] = place.map((step) => {
    if (typeof step === 'number') return `[${step}]`
    const key = String(step)
    if (/^\w{1,80}$/.test(key)) return `.${key}`
    return `[${quoteShortened(key)}]`
  })
  return [first!.replace(/^\./, ''), ...rest].join('')
}

/** A name out of the file as a sentence shows it. */
export const quoteShortened = (text: string) =>
  JSON.stringify(text.length > KEY_SHOWN_MAX ? `${text.slice(0, KEY_SHOWN_MAX)}…` : text)

/** The value as its schema reads it, or the first thing that is wrong with it. */
export const readWithSchema = <T>(schema: z.ZodType<T>, value: unknown, place: JsonPath): T => {
  // Few files are read with one schema; to compile it would take longer than all but the longest of them are read.
  const result = schema.safeParse(value, { error: sentenceOf, jitless: true })
  if (result.success) return result.data

  // A misspelt key is told before the key that is missing because of it.
  const { issues } = result.error
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!
  const key = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  throw fileFaultAt([...place, ...issue.path, ...key], issue.message)
}

const KINDS: Record<string, string> = {
  string: 'is not a text',
  number: 'is not a number',
  boolean: 'is neither true nor false',
  array: 'is not a list',
  object: 'is not an object',
}

const sentenceOf = (issue: z.core.$ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'is an unknown key'
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : (KINDS[issue.expected] ?? 'is invalid')
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `is none of ${issue.values.map(String).join(', ')}`
    default:
      return undefined
  }
}
