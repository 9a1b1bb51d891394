import { createHash } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readZip } from '../read-zip.ts'

const VERSION = 'go1.27.3'

/** By the name that Node has for a kind of processor: Go's own, and what its toolchain's file hashes to. */
const KINDS: Partial<Record<NodeJS.Architecture, { name: string; sha256: string }>> = {
  x64: { name: 'amd64', sha256: 'af4c06478303fdd1bfb335fab86c7ccb9b12e529044a946a16a1c4bcc779f8d7' },
  arm64: { name: 'arm64', sha256: '0ec0774cad42ecf4df82691146ee0b10c303ea594f163acb1737baedd5cc2835' },
}

/**
 * Puts Go into a folder, from where Go itself fetches newer versions of itself, and answers with the program. It needs
 * neither a package manager nor the rights to use one.
 */
export const unpackGo = async (folder: string): Promise<string> => {
  const kind = KINDS[process.arch]
  if (!kind) throw new Error(`There is no Go for ${process.arch} here: install it by hand.`)
  const module = `v0.0.1-${VERSION}.linux-${kind.name}`
  const address = `${proxy()}/golang.org/toolchain/@v/${module}.zip`

  process.stderr.write(`There is no Go; ${VERSION} is being fetched from ${address}.\n`)
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
  const zip = Buffer.from(await answer.arrayBuffer())
  const hash = createHash('sha256').update(zip).digest('hex')
  if (hash !== kind.sha256) throw new Error(`${address} has the SHA-256 ${hash} instead of ${kind.sha256}`)

  const root = `golang.org/toolchain@${module}/`
  for (const [name, bytes] of readZip(zip)) {
    const file = path.join(folder, name.slice(root.length))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, bytes)
    // A module's files have no rights of their own.
    if (/^(bin|pkg\/tool\/[^/]+)\//.test(name.slice(root.length))) await chmod(file, 0o755)
  }
  return path.join(folder, 'bin', 'go')
}

/** As Go reads it: several of them, with what is to be done where one has nothing. */
const proxy = () =>
  (process.env['GOPROXY'] ?? '').split(/[,|]/).find((each) => /^https?:/.test(each)) ?? 'https://proxy.golang.org'
