/** Raised when the inside of the archive changes in a way that older versions of Foyer cannot read. */
export const FORMAT = 1

export const MANIFEST = 'manifest.json'
export const SECRET = 'secret'
export const SUMMARY = 'summary.json'
export const CHECKSUMS = 'SHA256SUMS'

/** A table is cut into entries, since an entry of a tar archive must say beforehand how long it is. */
export const PIECE_BYTES = 4 * 1024 ** 2

export const tablePiece = (table: string, piece: number) => `tables/${table}/${String(piece).padStart(6, '0')}.tsv`
export const uploadEntry = (key: string) => `uploads/${key}`
export const imageEntry = (name: string) => `images/${name}`

/** What an entry holds, told by its name; null when no archive of Foyer has such an entry. */
export const readEntryName = (name: string): { kind: 'table' | 'upload' | 'image'; of: string } | null => {
  const [, table] = /^tables\/([a-z_0-9]+)\/\d{6}\.tsv$/.exec(name) ?? []
  if (table !== undefined) return { kind: 'table', of: table }
  const [, folder, of] = /^(uploads|images)\/([A-Za-z0-9_-][A-Za-z0-9._-]*)$/.exec(name) ?? []
  if (of === undefined) return null
  return { kind: folder === 'uploads' ? 'upload' : 'image', of }
}

/** The lines that `sha256sum --check` reads. */
export const writeChecksums = (sums: ReadonlyMap<string, string>): string =>
  Array.from(sums, ([name, sum]) => `${sum}  ${name}\n`).join('')

/** The first entry that is not what the checksums say, or that they do not know, or that is missing; null: all is well. */
export const findDamagedEntry = (text: string, sums: ReadonlyMap<string, string>): string | null => {
  const expected = new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )
  for (const [name, sum] of sums) if (expected.get(name) !== sum) return name
  for (const name of expected.keys()) if (!sums.has(name)) return name
  return null
}

const LF = 0x0a

/** Where the last whole row of a piece of COPY's text ends: line feeds inside of values are written otherwise. */
export const endOfRows = (bytes: Buffer): number => bytes.lastIndexOf(LF) + 1

/** foyer-2026-11-17T030000Z.tar.gz, with .age behind it where it is encrypted; their order is the order in time. */
export const archiveName = (now: Date, isEncrypted: boolean): string =>
  `foyer-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.gz${isEncrypted ? '.age' : ''}`

const ARCHIVE_NAME = /^foyer-\d{4}-\d{2}-\d{2}T\d{6}Z\.tar\.gz(\.age)?$/

const DRAFT = '.partial'

/** What an archive is called until it is whole. */
export const draftName = (archive: string): string => archive + DRAFT

export const isDraftName = (name: string): boolean =>
  name.endsWith(DRAFT) && ARCHIVE_NAME.test(name.slice(0, -DRAFT.length))

/** Of the names in a folder those that can go, so that the newest `keep` stay. What is no archive of Foyer stays. */
export const archivesToRemove = (names: readonly string[], keep: number): string[] =>
  names
    .filter((name) => ARCHIVE_NAME.test(name))
    .toSorted()
    .slice(0, -keep)

/** So many times as long as it works a backup rests, while the database always works for others. */
const REST = 15
const REST_MOST_MS = 500

/** How long a backup rests after so much work. The share is that of moments in which the database works for others. */
export const restAfter = (workedMs: number, busyShare: number): number =>
  Math.min(REST_MOST_MS, Math.floor(workedMs * REST * busyShare))
