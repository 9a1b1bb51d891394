import anyAscii from 'any-ascii'

const GERMAN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** Lower-case letters and digits with single hyphens between them, out of a text of any script; never empty. */
export const slugOf = (text: string, otherwise: string, most: number): string => {
  const german = text
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[äöüß]/g, (letter) => GERMAN[letter]!)
  return (
    trimSlug(
      anyAscii(german)
        .toLowerCase()
        .replaceAll(/['’]/g, '')
        .replaceAll(/[^a-z0-9]+/g, '-'),
      most,
    ) || otherwise
  )
}

const trimSlug = (text: string, most: number) =>
  text
    .slice(text.startsWith('-') ? 1 : 0)
    .slice(0, most)
    .replace(/-+$/, '')

/** The first of name, name-2, name-3 … that is not taken. */
export const firstFreeName = (name: string, isTaken: (name: string) => boolean, most: number): string => {
  if (!isTaken(name)) return name
  for (let n = 2; ; n++) {
    const numbered = `${name.slice(0, most - String(n).length - 1).replace(/-+$/, '')}-${n}`
    if (!isTaken(numbered)) return numbered
  }
}

const KEY_MAX = 60

/** Gives a key to each thing that came without one, made from what it is called. */
export const assignMissingKeys = <Thing extends { key: string | null }>(
  things: readonly Thing[],
  nameOf: (thing: Thing) => string,
  noun: string,
  taken: ReadonlySet<string> = new Set(),
): (Thing & { key: string })[] => {
  const used = new Set([...taken, ...things.flatMap(({ key }) => key ?? [])])
  return things.map((thing) => {
    if (thing.key !== null) return thing as Thing & { key: string }
    const key = firstFreeName(slugOf(nameOf(thing), noun, KEY_MAX), (name) => used.has(name), KEY_MAX)
    used.add(key)
    return { ...thing, key }
  })
}
