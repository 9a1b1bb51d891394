import { randomBytes } from 'node:crypto'
import { afterAll } from 'vitest'
import { makeTestCertificates } from '../../../src/wallet/apple/test-certificates.ts'
import { walletLinksOf } from '../../../src/wallet/offer.ts'
import { openApnsListener } from '../network/apns-listener.ts'
import { openGoogleListener } from '../network/google-listener.ts'
import { type ReadPass, readPkpass } from './read-pkpass.ts'
import { type OpenApp, theApp } from './venue.ts'

/** The installation of this test file signs passes, and knows where Apple and Google are: on this machine. */
export const openWallets = async () => {
  const running = await theApp()
  const [apns, google] = [await openApnsListener(), await openGoogleListener()]
  const certificates = makeTestCertificates()
  const { certificate, key, intermediate } = certificates
  Object.assign(running.app.settings, {
    wallet: {
      apple: { certificate, key, intermediate },
      google: { issuerId: '3388000000000000001', key: google.serviceAccount },
    },
    apnsBase: apns.base,
    googleWalletBase: google.base,
    googleOauthBase: google.base,
  })
  afterAll(async () => {
    await apns.close()
    await google.close()
  })
  return { ...running, apns, google, certificates, linksOf: linksIn(running) }
}

const linksIn =
  ({ app }: OpenApp) =>
  (accountId: number, publicId: string) => {
    const links = walletLinksOf(app, { apple: true, google: true }, { accountId, publicId })
    return { apple: new URL(links.apple!).pathname, google: new URL(links.google!).pathname }
  }

export interface Installed {
  pass: ReadPass
  bytes: Buffer
  modified: string
}

/** A phone that does what an iPhone does with passes, at this server. */
export const openPhone = (origin: string) => {
  const device = randomBytes(16).toString('hex')
  const pushToken = randomBytes(32).toString('hex')
  const installed = new Map<string, Installed>()
  const tags = new Map<string, string>()

  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
    fetch(`${origin}/wallet/v1${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const secretOf = ({ json }: ReadPass) => ({ authorization: `ApplePass ${json.authenticationToken}` })
  const addressOf = ({ json }: ReadPass) =>
    `/devices/${device}/registrations/${json.passTypeIdentifier}/${json.serialNumber}`

  const keep = async (answer: Response): Promise<Installed> => {
    const bytes = Buffer.from(await answer.arrayBuffer())
    const pass = readPkpass(bytes)
    const known = { pass, bytes, modified: answer.headers.get('last-modified')! }
    installed.set(pass.json.serialNumber, known)
    return known
  }

  const phone = {
    device,
    pushToken,
    installed,
    ask,
    download: async (path: string) => {
      const answer = await fetch(origin + path)
      if (answer.status !== 200) throw new Error(`The pass was refused with ${answer.status}`)
      return keep(answer)
    },
    register: ({ pass }: Installed, headers = secretOf(pass)) => ask('POST', addressOf(pass), headers, { pushToken }),
    unregister: ({ pass }: Installed, headers = secretOf(pass)) => ask('DELETE', addressOf(pass), headers),
    /** From the link to a phone that is told of changes. */
    install: async (path: string) => {
      const known = await phone.download(path)
      const answer = await phone.register(known)
      if (answer.status !== 201) throw new Error(`The registration was answered with ${answer.status}`)
      return known
    },
    changed: (passType: string, since?: string) =>
      ask('GET', `/devices/${device}/registrations/${passType}${since ? `?passesUpdatedSince=${since}` : ''}`),
    fetchPass: ({ pass, modified }: Installed, headers: Record<string, string> = { 'if-modified-since': modified }) =>
      ask('GET', `/passes/${pass.json.passTypeIdentifier}/${pass.json.serialNumber}`, {
        ...secretOf(pass),
        ...headers,
      }),
    /** What it does after a push; answers with the serials that were new. */
    hearPush: async (passType: string): Promise<string[]> => {
      const answer = await phone.changed(passType, tags.get(passType))
      if (answer.status === 204) return []
      const { serialNumbers, lastUpdated } = (await answer.json()) as { serialNumbers: string[]; lastUpdated: string }
      const renewed: string[] = []
      for (const serial of serialNumbers) {
        const answered = await phone.fetchPass(installed.get(serial)!)
        if (answered.status === 200) {
          await keep(answered)
          renewed.push(serial)
        }
      }
      tags.set(passType, lastUpdated)
      return renewed
    },
    /** The only pass on it, as it is seen. */
    get shown(): ReadPass {
      return [...installed.values()][0]!.pass
    },
  }
  return phone
}
