import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Misconfigured } from '../../src/kernel/misconfigured.ts'
import { makeTestCertificates } from '../../src/wallet/apple/test-certificates.ts'
import { print } from '../command-line.ts'
import { UsageFault } from '../usage-fault.ts'

export const run = async ([verb, folder, ...others]: string[]) => {
  if (verb !== 'test-certificates' || !folder || others.length > 0) {
    throw new UsageFault('The wallet command is: wallet test-certificates FOLDER.')
  }
  await mkdir(folder, { recursive: true })
  const write = async (name: string, text: string) => {
    const file = path.resolve(folder, name)
    // A key that is already there may be in use, so nothing is written over.
    await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw new Misconfigured(
        error.code === 'EEXIST' ? `The file ${file} is already there.` : `${file} cannot be written: ${error.message}.`,
      )
    })
    return file
  }
  const { root, intermediate, certificate, key } = makeTestCertificates()
  await write('root.pem', root)
  print(`WALLET_APPLE_CERTIFICATE=${await write('certificate.pem', certificate)}`)
  print(`WALLET_APPLE_KEY=${await write('key.pem', key)}`)
  print(`WALLET_APPLE_INTERMEDIATE=${await write('intermediate.pem', intermediate)}`)
}
