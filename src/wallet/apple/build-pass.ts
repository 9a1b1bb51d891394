import { createHash } from 'node:crypto'
import { walletSerialOf, walletTokenOf } from '../../access/wallet-passes.ts'
import type { AppServices } from '../../access/app.ts'
import { readImageOrThumbnail } from '../../files/event-images.ts'
import { storageOf } from '../../files/open-storage.ts'
import { parseStoredImage } from '../../images/names.ts'
import type { AppleIssuer } from '../configuration/issuers.ts'
import type { PassFacts } from '../rules.ts'
import { iconFiles, logoFiles, thumbnailFiles } from './pass-images.ts'
import { passJson, stringsFiles } from './pass-json.ts'
import { signDetached } from './sign-detached.ts'
import { zipFiles } from './zip.ts'

export const PASS_TYPE = 'application/vnd.apple.pkpass'

const STRINGS = stringsFiles()

/** A pass as phones take it: its files, a manifest of their hashes, and a signature of that. */
export const buildPass = async (
  app: AppServices,
  facts: PassFacts,
  issuer: AppleIssuer,
  logo: Buffer | null,
): Promise<Buffer> => {
  const serial = walletSerialOf(facts.accountId, facts.publicId)
  const json = passJson(facts, {
    passTypeId: issuer.passTypeId,
    teamId: issuer.teamId,
    serial,
    token: walletTokenOf(app.secrets, serial),
    webServiceUrl: `${app.settings.baseUrl}/wallet`,
  })
  const files = new Map<string, Buffer>([
    ['pass.json', Buffer.from(JSON.stringify(json))],
    ...STRINGS,
    ...(await iconFiles(facts.color)),
    ...(logo ? await logoFiles(logo) : []),
    ...(await pictureOf(app, facts.image)),
  ])
  const hashes = Object.fromEntries(
    Array.from(files, ([name, bytes]) => [name, createHash('sha1').update(bytes).digest('hex')]),
  )
  const manifest = Buffer.from(JSON.stringify(hashes))
  files.set('manifest.json', manifest)
  files.set('signature', signDetached(manifest, issuer, app.clock.now()))
  return zipFiles(files)
}

/** Only pictures that we keep ourselves: nobody waits for a server elsewhere to get a ticket. */
const pictureOf = async (app: AppServices, image: string | null): Promise<Map<string, Buffer>> => {
  const name = image === null ? null : parseStoredImage(image)
  if (!name) return new Map()
  return thumbnailFiles(name.digest, async () => {
    const stored = await readImageOrThumbnail(storageOf(app).images, name)
    return stored && Buffer.concat(await stored.bytes.toArray())
  })
}
