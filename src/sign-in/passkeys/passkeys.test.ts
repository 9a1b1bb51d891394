import { expect, test } from 'vitest'
import { form, signedIn } from '../../../test/kit/venue/sessions.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'
import { directoryOf } from '../../access/shards.ts'

const MARA = 'mara@neue-halle.example'

const ANSWERS = [
  undefined,
  null,
  'passkey',
  {},
  { id: 'x', rawId: 'x', type: 'public-key', response: {}, clientExtensionResults: {} },
  {
    id: 'eA',
    rawId: 'eA',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'e30', attestationObject: 'o2NmbXQ', authenticatorData: 'AAAA', signature: 'AAAA' },
  },
]

test('answers that no authenticator gave sign nobody in and are not kept', async () => {
  const venue = await openVenue()
  const mara = await signedIn(venue, MARA)
  for (const credential of ANSWERS) {
    await mara.post('/account/passkeys/options', {})
    expect(await mara.post('/account/passkeys', { credential })).toRefuse(422)
    await venue.stranger.post('/sign_in/passkey/options', {})
    const reply = await venue.stranger.post('/sign_in/passkey', { credential })
    expect(reply).toRefuse(422)
    expect(reply.headers.getSetCookie()).toEqual([])
  }
})

test('only someone who is signed in gets a challenge for a new passkey', async () => {
  const venue = await openVenue()
  expect(await venue.stranger.post('/account/passkeys/options', {})).toRefuse(401)
  expect(await venue.office.post('/account/passkeys/options', {})).toRefuse(401)
  const mara = await signedIn(venue, MARA)
  const { body } = await mara.post('/account/passkeys/options', {})
  expect(body).toMatchObject({ rp: { id: 'localhost' }, user: { name: MARA } })
  expect(body.authenticatorSelection).toMatchObject({ userVerification: 'required', residentKey: 'required' })
})

test('signing in names no passkey, so nobody learns who has one', async () => {
  const venue = await openVenue()
  const { body } = await venue.stranger.post('/sign_in/passkey/options', {})
  expect(body.allowCredentials ?? []).toEqual([])
  const again = await venue.stranger.post('/sign_in/passkey/options', {})
  expect(again.body.challenge).not.toBe(body.challenge)
})

test('nobody removes the passkey of another', async () => {
  const venue = await openVenue()
  const { pool } = directoryOf(venue.app)
  const person = venue.report.people['olga@neue-halle.example']!.user_id
  const { rows } = await pool.query<{ id: number }>(
    `insert into passkeys (person_id, credential_id, public_key, signature_count, name)
     values ($1, $2, '\\x00', 0, 'Phone') returning id`,
    [person, venue.report.account.subdomain],
  )
  const mara = await signedIn(venue, MARA)
  const removal = `/account/passkeys/${rows[0]!.id}/removal`
  await mara.ask('POST', removal, form({}))
  const left = () => pool.query('select 1 from passkeys where id = $1', [rows[0]!.id])
  expect((await left()).rows).toHaveLength(1)
  await (await signedIn(venue, 'olga@neue-halle.example')).ask('POST', removal, form({}))
  expect((await left()).rows).toHaveLength(0)
})
