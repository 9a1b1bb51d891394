import { newCode, newPublicId } from '../src/kernel/public-ids.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { deriveSecrets } from '../src/kernel/secrets.ts'
import { readSettings } from '../src/kernel/settings.ts'
import { buildPass } from '../src/wallet/apple/build-pass.ts'
import { makeTestCertificates } from '../src/wallet/apple/test-certificates.ts'
import { readAppleIssuer } from '../src/wallet/configuration/issuers.ts'
import type { PassFacts } from '../src/wallet/rules.ts'
import { type Bench, type Figure, round } from './frame.ts'

const ROUNDS = 400
const WARM_UP = 20

const factsOf = (index: number): PassFacts => ({
  accountId: 1,
  eventId: 7,
  admissionId: index,
  publicId: newPublicId(),
  checkInCode: newCode(),
  orderCode: newCode(),
  organizer: 'Neue Halle',
  subdomain: 'neue-halle',
  language: 'en',
  eventTitle: 'Winter Ball · 冬の舞踏会',
  startsAt: new Date('2027-01-15T19:00:00Z'),
  doorsOpenAt: new Date('2027-01-15T18:00:00Z'),
  endsAt: new Date('2027-01-16T00:00:00Z'),
  timeZone: 'Europe/Berlin',
  venueName: 'Neue Halle',
  venueAddress: 'Hafenstraße 7, 20359 Hamburg, DE',
  latitude: 53.5,
  longitude: 10,
  attendeeName: `Zoë Müller ${index}`,
  isLead: false,
  partyLead: 'Łukasz Żółć',
  ticketTitle: 'General admission',
  place: `Row A Seat ${index}`,
  section: null,
  row: 'A',
  seat: String(index),
  color: '#2f6fed',
  logoDigest: null,
  image: null,
  state: 'valid',
})

/** Passes for Apple Wallet, one after the other: what one core signs. */
export async function* measure({ small }: Bench): AsyncGenerator<Figure> {
  const issuer = readAppleIssuer(makeTestCertificates())
  const app = {
    settings: readSettings({}),
    secrets: deriveSecrets('only for measurements, and long enough for them'),
    clock: systemClock,
  } as Parameters<typeof buildPass>[0]
  const rounds = small ? ROUNDS / 4 : ROUNDS
  for (let index = 0; index < WARM_UP; index++) await buildPass(app, factsOf(index), issuer, null)
  const cpu = process.cpuUsage()
  for (let index = 0; index < rounds; index++) await buildPass(app, factsOf(index), issuer, null)
  const { user, system } = process.cpuUsage(cpu)
  const perSecond = round(rounds / ((user + system) / 1_000_000), 0)
  yield {
    id: 'P22',
    what: 'passes for wallets signed, per second of one core',
    figure: perSecond,
    unit: '/s',
    target: '≥ 50/s',
    isMet: perSecond >= 50,
  }
}
