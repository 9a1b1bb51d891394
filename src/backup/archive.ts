import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough, Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { FileFault } from '../loading/fault.ts'
import { passphraseIdentity, passphraseRecipient } from './passphrase.ts'
import { CHECKSUMS, writeChecksums } from './rules.ts'

/** A tar archive that is being written: each entry goes out before the next one is asked for. */
export interface ArchiveWriter {
  add(name: string, bytes: Buffer | string): Promise<void>
  addStream(name: string, size: number, bytes: Readable): Promise<void>
}

/** Rows compress well at any level; the fastest one keeps the second core free for the door. */
const GZIP_LEVEL = 1
const ENTRY_MODE = 0o600

/** Writes a gzipped tar archive, its checksums last, encrypted in the format of age where there is a passphrase. */
export const writeArchive = async (
  sink: Writable,
  { passphrase, now, signal }: { passphrase: string | null; now: Date; signal?: AbortSignal | undefined },
  write: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> => {
  const tar = pack()
  const sums = new Map<string, string>()
  const addStream = async (name: string, size: number, bytes: Readable) => {
    signal?.throwIfAborted()
    const { hashing, digest } = openHashing()
    await pipeline(bytes, hashing, tar.entry({ name, size, type: 'file', mode: ENTRY_MODE, mtime: now }))
    sums.set(name, digest())
  }
  const add = (name: string, content: Buffer | string) => {
    const bytes = Buffer.from(content)
    return addStream(name, bytes.length, Readable.from([bytes]))
  }
  const fill = async () => {
    await write({ add, addStream })
    await add(CHECKSUMS, writeChecksums(sums))
    tar.finalize()
  }

  const packed = Readable.from(tar)
  const leaving = passphrase === null ? sendPlain(packed, sink) : sendEncrypted(packed, sink, passphrase)
  const filling = fill().catch((error: unknown) => {
    tar.destroy(error as Error)
    throw error
  })
  try {
    await Promise.all([leaving, filling])
  } catch (error) {
    // Whichever fails first is told, and takes the other with it.
    tar.destroy(error as Error)
    await Promise.allSettled([leaving, filling])
    throw error
  }
}

const sendPlain = (packed: Readable, sink: Writable) => pipeline(packed, createGzip({ level: GZIP_LEVEL }), sink)

const sendEncrypted = async (packed: Readable, sink: Writable, passphrase: string) => {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient(passphraseRecipient(passphrase))
  const gzipped = createGzip({ level: GZIP_LEVEL })
  const compressing = pipeline(packed, gzipped)
  const encrypted = await encrypter.encrypt(Readable.toWeb(gzipped) as ReadableStream<Uint8Array>)
  await Promise.all([compressing, pipeline(Readable.fromWeb(encrypted as never), sink)])
}

const openHashing = () => {
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { hashing, digest: () => hash.digest('hex') }
}

export interface ArchiveEntry {
  name: string
  size: number
  bytes: Readable
  /** The SHA-256 of what was read, once it was read to its end. */
  digest(): string
}

const AGE = Buffer.from('age-encryption.org/')

/** The entries of an archive one after the other; each must be read before the next one comes. */
export async function* readArchive(file: string, passphrase: string | null): AsyncGenerator<ArchiveEntry> {
  const reading = new AbortController()
  const untar = extract()
  const { signal } = reading
  const source = await openSource(file, passphrase)
  const arriving = pipeline(source, createGunzip(), untar, { signal }).catch((error: unknown) => {
    untar.destroy(error as Error)
  })
  try {
    for await (const entry of untar) {
      const { hashing, digest } = openHashing()
      const bytes = entry.pipe(hashing)
      entry.on('error', (error) => hashing.destroy(explainDamage(file, error)))
      yield { name: entry.header.name, size: entry.header.size ?? 0, bytes, digest }
    }
  } catch (error) {
    throw explainDamage(file, error as NodeJS.ErrnoException)
  } finally {
    reading.abort()
    await arriving
  }
}

const openSource = async (file: string, passphrase: string | null): Promise<Readable> => {
  const isEncrypted = await beginsWith(file, AGE)
  if (!isEncrypted) return createReadStream(file)
  if (passphrase === null) {
    throw new FileFault(`The archive ${file} is encrypted; set FOYER_BACKUP_PASSPHRASE to its passphrase.`)
  }
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addIdentity(passphraseIdentity(passphrase))
  try {
    const decrypted = await decrypter.decrypt(Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>)
    return Readable.fromWeb(decrypted as never).pipe(new PassThrough())
  } catch {
    throw new FileFault(`The archive ${file} does not open with this passphrase, or its beginning is damaged.`)
  }
}

const beginsWith = async (file: string, expected: Buffer): Promise<boolean> => {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new FileFault(`The archive ${file} cannot be read: ${error.message}.`)
  })
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(expected.length) })
    return bytesRead === expected.length && buffer.equals(expected)
  } finally {
    await handle.close()
  }
}

const explainDamage = (file: string, error: NodeJS.ErrnoException): Error => {
  if (error instanceof FileFault || error.code?.startsWith('E')) return error
  return new FileFault(`The archive ${file} is damaged or cut off: ${error.message}.`)
}
