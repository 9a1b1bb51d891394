/** Reads a mail back, for tests: just enough of RFC 5322, MIME and encoded words to see what a recipient would see. */
export interface Part {
  headers: Map<string, string[]>
  body: Buffer
  parts: Part[]
}

export const readEml = (message: Buffer): Part => {
  const text = message.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const headers = readHeaders(text.slice(0, end))
  const body = text.slice(end + 4)

  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type')?.[0] ?? '')?.[1]
  if (!boundary) return { headers, body: decodeBody(headers, body), parts: [] }

  const sections = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1)
  const parts = sections.map((section) => readEml(Buffer.from(section.replace(/^\r\n/, ''), 'latin1')))
  return { headers, body: Buffer.alloc(0), parts }
}

const readHeaders = (text: string) => {
  const headers = new Map<string, string[]>()
  for (const line of text.replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return headers
}

const decodeBody = (headers: Map<string, string[]>, body: string) => {
  const encoding = headers.get('content-transfer-encoding')?.[0]?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  if (encoding === 'quoted-printable') return decodeQuoted(body.replaceAll(/=[ \t]*\r\n/g, ''))
  return Buffer.from(body, 'latin1')
}

const decodeQuoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** A header as a person reads it. */
export const header = (part: Part, name: string): string | undefined => {
  const values = part.headers.get(name.toLowerCase())
  if (values && values.length > 1) throw new Error(`The header ${name} stands there ${values.length} times`)
  return values && decodeWords(values[0]!)
}

const decodeWords = (text: string) =>
  text
    .replaceAll(/(=\?[^?]+\?[BQ]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
    .replaceAll(/(?:=\?UTF-8\?[BQ]\?[^?]*\?=)+/gi, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi)].map(([, encoding, content]) =>
          encoding!.toUpperCase() === 'B'
            ? Buffer.from(content!, 'base64')
            : decodeQuoted(content!.replaceAll('_', ' ')),
        ),
      ).toString('utf8'),
    )

/** Every leaf of the mail by its type: 'text/plain', 'text/html', 'application/pdf'. */
export const leaves = (part: Part): { type: string; part: Part }[] =>
  part.parts.length > 0
    ? part.parts.flatMap(leaves)
    : [{ type: part.headers.get('content-type')?.[0]?.split(';')[0] ?? '', part }]

export const bodyOf = (message: Part, type: string): string | undefined =>
  leaves(message)
    .find((leaf) => leaf.type === type)
    ?.part.body.toString('utf8')
    .replaceAll('\r\n', '\n')

/** The one mailbox of a header like To. */
export const mailbox = (part: Part, headerName: string): { name: string; address: string } => {
  const value = part.headers.get(headerName.toLowerCase())?.[0] ?? ''
  const [, quoted, plain, address] = /^(?:"((?:\\.|[^"\\])*)"|([^"<]*?)) *<([^<>]+)>$/.exec(value) ?? []
  if (!address) return { name: '', address: value }
  return { name: quoted === undefined ? decodeWords(plain!) : quoted.replaceAll(/\\(.)/g, '$1'), address }
}
