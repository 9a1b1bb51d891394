import { createHash } from 'node:crypto'
import { readZip } from '../read-zip.ts'

interface Field {
  key: string
  value: string
}

/** What a phone makes of a pass: its words in a language, its fields by key; refused when the manifest is wrong. */
export const readPkpass = (zip: Buffer, language: 'en' | 'de' = 'en') => {
  const files = new Map(readZip(zip))
  const manifest = JSON.parse(files.get('manifest.json')!.toString()) as Record<string, string>
  const listed = [...files.keys()].filter((name) => name !== 'manifest.json' && name !== 'signature')
  if (listed.toSorted().join() !== Object.keys(manifest).toSorted().join()) throw new Error('Files are not listed')
  for (const name of listed) {
    const hash = createHash('sha1').update(files.get(name)!).digest('hex')
    if (hash !== manifest[name]) throw new Error(`${name} is not what the manifest says`)
  }
  const json = JSON.parse(files.get('pass.json')!.toString())
  const strings = new Map(
    [
      ...files
        .get(`${language}.lproj/pass.strings`)!
        .toString()
        .matchAll(/"(.*)" = "(.*)";/g),
    ].map(([, key, text]) => [key!, text!] as const),
  )
  const fields = Object.fromEntries(
    Object.values(json.eventTicket as Record<string, Field[]>)
      .flat()
      .map(({ key, value }) => [key, strings.get(value) ?? value]),
  )
  return { files, json, fields, strings }
}

export type ReadPass = ReturnType<typeof readPkpass>
