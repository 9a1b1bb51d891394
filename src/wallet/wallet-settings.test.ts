import { expect, test } from 'vitest'
import { Misconfigured, readSettings } from '../kernel/settings.ts'
import { bodyOf } from '../../test/kit/network/read-eml.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { PNG, uploadFile } from '../../test/kit/venue/uploads.ts'
import { buyTicket, visitOwnPage } from '../../test/kit/venue/wallet-pages.ts'
import { openPhone, openWallets } from '../../test/kit/venue/wallet.ts'
import { openVenue, theApp } from '../../test/kit/venue/venue.ts'
import { openWinterBall } from '../../test/kit/venue/winter-ball.ts'
import { makeTestCertificates } from './apple/test-certificates.ts'
import { findCertificateWarnings } from './certificate-warnings.ts'
import { issuersOfInstallation } from './configuration/issuers.ts'

const wallets = await openWallets()

test('with them the order page, the guest’s own page and the mail lead to a pass, in English and German', async () => {
  const { visit } = await buyTicket()
  const page = (await visit('en')).text
  expect(page).toContain('Add to Apple Wallet')
  expect(page).toContain('Add to Google Wallet')
  expect((await visit('de')).text).toContain('Zu Apple Wallet hinzufügen')
  const [, link] = /href="[^"]*(\/wallet\/apple\/[^"]+)"/.exec(page)!
  const phone = openPhone(wallets.origin)
  expect((await phone.install(link!)).pass.fields).toMatchObject({ event: 'Winter Ball', name: 'Berit Buyer' })
  expect(await visitOwnPage()).toContain('Add to Apple Wallet')

  const ball = await openWinterBall()
  await ball.party({ delivery_email: 'wallet@guest.example', customer_name: 'Berit Buyer' })
  await ball.workOffJobs()
  const [mail] = await mailsTo(ball, 'wallet@guest.example')
  expect(bodyOf(mail!, 'text/plain')).toMatch(/Add\s+to\s+a\s+wallet/)
  const [, path] = /href="[^"]*(\/wallet\/orders\/[\w-]+)"/.exec(bodyOf(mail!, 'text/html')!)!
  const list = await fetch(wallets.origin + path!, { headers: { accept: 'text/html', 'accept-language': 'de' } })
  const text = await list.text()
  expect(text).toContain('Zu Apple Wallet hinzufügen')
  expect(text).toContain('Berit Buyer')
  expect((await fetch(`${wallets.origin + path!}x`)).status).toBe(404)
})

test('an account brings its own certificate and issuer, sealed, and passes of the other stay with who signed them', async () => {
  const ball = await openWinterBall()
  const item = (await ball.party()).admissions[0]
  const phone = openPhone(ball.origin)
  const link = wallets.linksOf(ball.accountId, item.public_id).apple
  const held = await phone.install(link)
  expect(held.pass.json.passTypeIdentifier).toBe('pass.example.foyer')

  const own = makeTestCertificates({ passTypeId: 'pass.example.halle', teamId: 'HALLE00001' })
  const changed = await ball.office.patch('/admin/wallet', {
    wallet: {
      apple_certificate: own.certificate,
      apple_key: own.key,
      apple_intermediate: own.intermediate,
      google_issuer_id: '3388000000000000009',
      google_key: wallets.google.serviceAccount,
    },
  })
  expect(changed).toMatchObject({
    status: 200,
    body: {
      apple: { signed_by: 'account', pass_type_id: 'pass.example.halle', team_id: 'HALLE00001', warning_days: null },
      google: { signed_by: 'account', issuer_id: '3388000000000000009' },
    },
  })
  const { rows } = await ball.app.database.pool.query('select * from wallet_settings where account_id = $1', [
    ball.accountId,
  ])
  const kept = Object.values(rows[0]).map((value) =>
    Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
  )
  expect(kept.join('')).not.toContain('PRIVATE KEY')
  expect(JSON.stringify((await ball.office.get('/admin/audit_log')).body)).not.toContain('PRIVATE KEY')

  const second = openPhone(ball.origin)
  expect((await second.install(link)).pass.json.passTypeIdentifier).toBe('pass.example.halle')
  wallets.apns.heard.length = 0
  await ball.office.patch(ball.path, { event: { title: 'Great Ball' } })
  await ball.workOffJobs()
  expect(wallets.apns.pushesTo(phone.pushToken)).toMatchObject([{ certificate: 'pass.example.foyer' }])
  expect(wallets.apns.pushesTo(second.pushToken)).toMatchObject([{ certificate: 'pass.example.halle' }])
  await phone.hearPush('pass.example.foyer')
  expect(phone.shown.json.passTypeIdentifier).toBe('pass.example.foyer')
  expect(phone.shown.fields['event']).toBe('Great Ball')

  const taken = await ball.office.patch('/admin/wallet', {
    wallet: { apple_certificate: null, google_issuer_id: null },
  })
  expect(taken.body).toMatchObject({ apple: { signed_by: 'installation' }, google: { signed_by: 'installation' } })
})

test('what cannot sign is refused by field, and nothing changes', async () => {
  const venue = await openVenue()
  const [one, two] = [makeTestCertificates(), makeTestCertificates()]
  const whole = { apple_certificate: one.certificate, apple_key: one.key, apple_intermediate: one.intermediate }
  const faultsOf = async (wallet: object) => {
    const reply = await venue.office.patch('/admin/wallet', { wallet })
    expect(reply.status, reply.text).toBe(422)
    return Object.keys(reply.body.errors)
  }
  expect(await faultsOf({ apple_certificate: one.certificate })).toEqual(['apple_intermediate', 'apple_key'])
  expect(await faultsOf({ ...whole, apple_key: two.key })).toEqual(['apple_key'])
  expect(await faultsOf({ ...whole, apple_intermediate: two.intermediate })).toEqual(['apple_intermediate'])
  expect(await faultsOf({ ...whole, apple_certificate: 'nonsense' })).toEqual(['apple_certificate'])
  expect(await faultsOf({ ...whole, apple_certificate: one.intermediate })).toEqual(['apple_key'])
  expect(await faultsOf({ google_issuer_id: '12', google_key: '{}' })).toEqual(['google_key'])
  expect(await faultsOf({ google_issuer_id: '../x', google_key: '{}' })).toEqual(['google_issuer_id'])
  expect(await faultsOf({ color: 'red' })).toEqual(['color'])
  expect(await faultsOf({ logo: 'nonsense' })).toEqual(['logo'])
  const { rows } = await venue.app.database.pool.query('select from wallet_settings where account_id = $1', [
    venue.report.account.id,
  ])
  expect(rows).toEqual([])
})

test('a logo is on the pass', async () => {
  const ball = await openWinterBall()
  const image = await uploadFile(
    { origin: ball.origin, client: ball.office, path: '/admin/direct_uploads' },
    PNG,
    'l.png',
    'image/png',
  )
  const reply = await ball.office.patch('/admin/wallet', { wallet: { logo: image.signed_id } })
  expect(reply).toMatchObject({ status: 200, body: { has_logo: true } })
  const item = (await ball.party()).admissions[0]
  const { files } = (await openPhone(ball.origin).download(wallets.linksOf(ball.accountId, item.public_id).apple)).pass
  for (const name of ['logo.png', 'logo@2x.png', 'logo@3x.png']) expect(files.has(name), name).toBe(true)
})

test('the audit and the settings warn 60, 14 and 3 days before a certificate ends, and nobody is offered a dead one', async () => {
  const venue = await openVenue()
  const running = await theApp()
  const warn = async (days: number) => {
    const { certificate, key, intermediate } = makeTestCertificates({ days, now: running.app.clock.now() })
    const wallet = { apple: { certificate, key, intermediate }, google: null }
    const settings = { ...running.app.settings, wallet }
    issuersOfInstallation(settings)
    const [warning] = await findCertificateWarnings({ ...running.app, settings })
    await venue.office.patch('/admin/wallet', {
      wallet: { apple_certificate: certificate, apple_key: key, apple_intermediate: intermediate },
    })
    const { apple } = (await venue.office.get('/admin/wallet')).body
    return [warning?.match(/less than \d+ days|has ended/)?.[0] ?? null, apple.warning_days]
  }
  expect(await warn(90)).toEqual([null, null])
  expect(await warn(59)).toEqual(['less than 60 days', 60])
  expect(await warn(13)).toEqual(['less than 14 days', 14])
  expect(await warn(2)).toEqual(['less than 3 days', 3])
  expect(await warn(0)).toEqual(['has ended', 0])
})

test('a setting that is missing or cannot be used is said in one sentence', () => {
  const { certificate, key, intermediate } = makeTestCertificates()
  const whole = {
    WALLET_APPLE_CERTIFICATE: certificate,
    WALLET_APPLE_KEY: key,
    WALLET_APPLE_INTERMEDIATE: intermediate,
  }
  const open = (environment: Record<string, string>) => issuersOfInstallation(readSettings(environment))
  expect(open({}).apple).toEqual([])
  expect(open(whole).apple[0]).toMatchObject({ passTypeId: 'pass.example.foyer', teamId: 'FOYERTEST1' })
  expect(() => open({ WALLET_APPLE_CERTIFICATE: certificate })).toThrow(
    'WALLET_APPLE_KEY, WALLET_APPLE_INTERMEDIATE must be set where passes for Apple Wallet are signed.',
  )
  expect(() => open({ ...whole, WALLET_APPLE_KEY: '/nowhere/key.pem' })).toThrow(
    'The file of WALLET_APPLE_KEY cannot be read',
  )
  expect(() => open({ ...whole, WALLET_APPLE_KEY: makeTestCertificates().key })).toThrow(Misconfigured)
  expect(() => open({ WALLET_GOOGLE_ISSUER_ID: '1', WALLET_GOOGLE_KEY: '{}' })).toThrow(
    'WALLET_GOOGLE_KEY is no key of a service account, as JSON.',
  )
})
