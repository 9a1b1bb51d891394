import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The files of a zip whose files are stored as they are, read by its directory at the end. */
export const readZip = (zip: Buffer): Map<string, Buffer> => {
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  const files = new Map<string, Buffer>()
  for (let n = 0; n < count; n++) {
    const [sum, size, nameLength] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28)]
    const local = zip.readUInt32LE(at + 42)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const bytes = zip.subarray(start, start + size)
    if (crc32(bytes) !== sum) throw new Error(`${name} is damaged`)
    files.set(name, bytes)
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}

interface Field {
  key: string
  value: string
}

/** What a phone makes of a pass: its words in a language, its fields by key; refused when the manifest is wrong. */
export const readPkpass = (zip: Buffer, language: 'en' | 'de' = 'en') => {
  const files = readZip(zip)
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
