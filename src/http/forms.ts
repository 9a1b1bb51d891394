import { MalformedRequest, isRecord } from './body.ts'

const PAIRS_MAX = 500
const FIELD_NAME_MAX = 500
const TOO_MANY = 'The form has too many fields'

/** A form's fields as the object their names spell: `guest[name]`, `guest[tags][]`. */
export const parseForm = (bytes: Buffer): Record<string, unknown> => {
  // Counted before they are taken apart, which costs far more.
  if (countUpTo(bytes, AMPERSAND, PAIRS_MAX) > PAIRS_MAX) throw new MalformedRequest(TOO_MANY)
  const form: Record<string, unknown> = {}
  let pairs = 0
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (++pairs > PAIRS_MAX) throw new MalformedRequest(TOO_MANY)
    if (name.length > FIELD_NAME_MAX) throw new MalformedRequest('The name of a field is too long')
    put(form, segmentsOf(name), value)
  }
  return form
}

const AMPERSAND = 0x26

const countUpTo = (bytes: Buffer, byte: number, most: number) => {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1 && count <= most; at = bytes.indexOf(byte, at + 1)) count++
  return count
}

/** `a[b][]` → a, b, and an empty one for the list. */
const segmentsOf = (name: string) => {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (!match) return [name]
  return [match[1]!, ...[...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map((each) => each[1]!)].slice(0, 5)
}

const put = (form: Record<string, unknown>, segments: string[], value: string) => {
  const [first, second, ...rest] = segments
  if (first === undefined || first === '__proto__') return
  if (second === undefined) {
    form[first] = value
  } else if (second === '') {
    const list = form[first]
    if (Array.isArray(list)) list.push(value)
    else form[first] = [value]
  } else {
    const inner = form[first]
    const next: Record<string, unknown> = isRecord(inner) ? inner : {}
    form[first] = next
    put(next, [second, ...rest], value)
  }
}
