import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { walletSerialOf, walletTokenOf } from '../access/wallet-passes.ts'
import { readZip } from '../../test/kit/read-zip.ts'
import { readPkpass } from '../../test/kit/venue/read-pkpass.ts'
import { openPhone, openWallets } from '../../test/kit/venue/wallet.ts'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'

const wallets = await openWallets()
const { apns, certificates } = wallets
const TYPE = 'pass.example.foyer'

beforeEach(() => {
  apns.heard.length = 0
  apns.manners.clear()
})

// oxlint-disable-next-line typescript/no-explicit-any
const seated = async (ball: WinterBall, key = 'A-1'): Promise<any> =>
  (await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places[key]] })).admissions[0]

const move = async (ball: WinterBall, { public_id }: { public_id: string }, key: string) => {
  const reply = await ball.office.post(`/admin/order_items/${public_id}/seat_exchange`, {
    seat_exchange: { event_place_id: ball.places[key] },
  })
  expect(reply.status, reply.text).toBe(200)
}

const linkOf = (ball: WinterBall, { public_id }: { public_id: string }) =>
  wallets.linksOf(ball.accountId, public_id).apple

test('a pass is an event ticket whose manifest and signature hold, as OpenSSL sees it', async () => {
  const ball = await openWinterBall()
  const item = await seated(ball)
  const answer = await fetch(ball.origin + linkOf(ball, item))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/vnd.apple.pkpass')
  const bytes = Buffer.from(await answer.arrayBuffer())
  const { json, fields, files } = readPkpass(bytes)
  expect(json).toMatchObject({
    formatVersion: 1,
    passTypeIdentifier: TYPE,
    teamIdentifier: 'FOYERTEST1',
    organizationName: ball.file.account.name,
    webServiceURL: 'http://localhost:3000/wallet',
    barcodes: [{ format: 'PKBarcodeFormatQR', message: item.public_id }],
  })
  expect(json.authenticationToken.length).toBeGreaterThan(16)
  expect(fields).toMatchObject({ event: 'Winter Ball', place: 'Row A Seat 1', name: 'Ada Lovelace', status: 'Valid' })
  expect(readPkpass(bytes, 'de').fields).toMatchObject({ status: 'Gültig' })
  for (const name of ['icon.png', 'icon@2x.png', 'icon@3x.png']) expect(files.has(name)).toBe(true)

  const folder = mkdtempSync(path.join(os.tmpdir(), 'foyer-pass-'))
  try {
    const write = (name: string, content: Buffer | string) => {
      writeFileSync(path.join(folder, name), content)
      return path.join(folder, name)
    }
    const verify = (content: Buffer, root: string) => {
      const signature = ['-inform', 'DER', '-in', write('signature', files.get('signature')!)]
      const about = ['-content', write('manifest', content), '-CAfile', write('root', root), '-purpose', 'any']
      return execFileSync('openssl', ['smime', '-verify', '-binary', ...signature, ...about], {
        stdio: 'pipe',
      }).toString()
    }
    const manifest = files.get('manifest.json')!
    expect(verify(manifest, certificates.root)).toBe(manifest.toString())
    const shown = execFileSync('openssl', [
      'pkcs7',
      '-inform',
      'DER',
      '-print_certs',
      '-in',
      path.join(folder, 'signature'),
    ])
    expect(shown.toString()).toContain('Foyer Test Intermediate')
    expect(() => verify(Buffer.concat([manifest, Buffer.from(' ')]), certificates.root)).toThrow('digest failure')
    expect(() => verify(manifest, certificates.certificate)).toThrow('Verify error')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a phone registers, is told of a move within two seconds, and gets the new seat', async () => {
  const ball = await openWinterBall()
  const [item, other] = [await seated(ball, 'A-1'), await seated(ball, 'A-2')]
  const [phone, second, elsewhere] = [openPhone(ball.origin), openPhone(ball.origin), openPhone(ball.origin)]
  await phone.install(linkOf(ball, item))
  await second.install(linkOf(ball, item))
  await elsewhere.install(linkOf(ball, other))
  await ball.workOffJobs()
  expect(apns.heard).toEqual([])
  expect(await phone.hearPush(TYPE)).toEqual([])

  const startedAt = performance.now()
  await move(ball, item, 'A-4')
  await ball.workOffJobs()
  for (const { pushToken } of [phone, second]) {
    expect(apns.pushesTo(pushToken)).toMatchObject([{ topic: TYPE, body: '{}', certificate: TYPE }])
    expect(apns.pushesTo(pushToken)[0]!.at - startedAt).toBeLessThan(2_000)
  }
  expect(apns.pushesTo(elsewhere.pushToken)).toEqual([])
  const serial = walletSerialOf(ball.accountId, item.public_id)
  expect(await phone.hearPush(TYPE)).toEqual([serial])
  expect(phone.shown.fields['place']).toBe('Row A Seat 4')
  expect(phone.shown.json.serialNumber).toBe(serial)
  expect(await phone.hearPush(TYPE)).toEqual([])
})

test('what a phone says twice, late or out of order changes nothing', async () => {
  const ball = await openWinterBall()
  const item = await seated(ball)
  const phone = openPhone(ball.origin)
  const held = await phone.install(linkOf(ball, item))
  expect((await phone.register(held)).status).toBe(200)
  const changed = await phone.changed(TYPE)
  expect(changed.status).toBe(200)
  expect(await changed.json()).toEqual({
    serialNumbers: [held.pass.json.serialNumber],
    lastUpdated: expect.any(String),
  })

  await move(ball, item, 'A-2')
  await move(ball, item, 'A-4')
  // Asked for before the push came.
  expect(await phone.hearPush(TYPE)).toEqual([held.pass.json.serialNumber])
  expect(phone.shown.fields['place']).toBe('Row A Seat 4')
  await ball.workOffJobs()
  expect(await phone.hearPush(TYPE)).toEqual([])
  for (const tag of ['nonsense', '-1', '99999999999999999', '%00']) {
    expect([200, 204], tag).toContain((await phone.changed(TYPE, tag)).status)
  }

  expect((await phone.unregister(held)).status).toBe(200)
  expect((await phone.unregister(held)).status).toBe(200)
  expect((await phone.changed(TYPE)).status).toBe(204)
  apns.heard.length = 0
  await move(ball, item, 'A-1')
  await ball.workOffJobs()
  expect(apns.heard).toEqual([])
})

test('two changes within one second are two, for whoever asks in between', async () => {
  const ball = await openWinterBall()
  const item = await seated(ball)
  const phone = openPhone(ball.origin)
  let held = await phone.install(linkOf(ball, item))
  const serial = held.pass.json.serialNumber
  for (const key of ['A-2', 'A-4', 'A-1', 'A-5']) {
    await move(ball, item, key)
    const answer = await phone.fetchPass(held)
    expect(answer.status).toBe(200)
    const bytes = Buffer.from(await answer.arrayBuffer())
    held = { bytes, pass: readPkpass(bytes), modified: answer.headers.get('last-modified')! }
    expect(held.pass.fields['place']).toBe(`Row A Seat ${key.slice(2)}`)
    const again = await phone.fetchPass(held)
    expect(again.status).toBe(304)
    expect((await phone.fetchPass(held, { 'if-none-match': answer.headers.get('etag')! })).status).toBe(304)
  }
  expect(held.pass.json.serialNumber).toBe(serial)
})

test('a wrong secret, another pass’s secret or a foreign serial opens nothing, and says nothing', async () => {
  const ball = await openWinterBall()
  const foreign = await openWinterBall()
  const [item, own, theirs] = [await seated(ball), await seated(ball, 'A-2'), await seated(foreign)]
  const phone = openPhone(ball.origin)
  const held = await phone.install(linkOf(ball, item))
  const stranger = openPhone(ball.origin)
  await stranger.install(linkOf(foreign, theirs))
  await stranger.download(linkOf(ball, own))
  const { secrets } = ball.app
  const tokenOf = (accountId: number, publicId: string) => walletTokenOf(secrets, walletSerialOf(accountId, publicId))
  const wrong = [
    undefined,
    'ApplePass ',
    'ApplePass wrong',
    `ApplePass ${'A'.repeat(43)}`,
    `Bearer ${tokenOf(ball.accountId, item.public_id)}`,
    `ApplePass ${tokenOf(ball.accountId, own.public_id)}`,
    `ApplePass ${tokenOf(foreign.accountId, theirs.public_id)}`,
    `ApplePass ${tokenOf(foreign.accountId, item.public_id)}`,
  ]
  const serial = held.pass.json.serialNumber
  const registration = `/devices/${stranger.device}/registrations/${TYPE}/${serial}`
  for (const authorization of wrong) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const answers = [
      await stranger.ask('GET', `/passes/${TYPE}/${serial}`, headers),
      await stranger.ask('POST', registration, headers, { pushToken: stranger.pushToken }),
      await stranger.ask('DELETE', `/devices/${phone.device}/registrations/${TYPE}/${serial}`, headers),
    ]
    expect(
      answers.map(({ status }) => status),
      authorization,
    ).toEqual([401, 401, 401])
  }
  // The right secret of one pass, with the number of another account's.
  for (const number of [
    walletSerialOf(foreign.accountId, item.public_id),
    walletSerialOf(ball.accountId, theirs.public_id),
    `${serial}x`,
    '1-%00',
    'nonsense',
  ]) {
    const secret = { authorization: `ApplePass ${held.pass.json.authenticationToken}` }
    expect((await phone.ask('GET', `/passes/${TYPE}/${number}`, secret)).status).toBe(401)
  }
  // A number that is right by its secret, of an account that has no such ticket.
  const crossed = walletSerialOf(foreign.accountId, item.public_id)
  const secret = { authorization: `ApplePass ${walletTokenOf(secrets, crossed)}` }
  expect((await phone.ask('GET', `/passes/${TYPE}/${crossed}`, secret)).status).toBe(404)
  expect(
    (
      await phone.ask('GET', `/passes/pass.example.other/${serial}`, {
        authorization: `ApplePass ${held.pass.json.authenticationToken}`,
      })
    ).status,
  ).toBe(404)

  const seen = (await (await stranger.changed(TYPE)).json()) as { serialNumbers: string[] }
  expect(seen.serialNumbers).toEqual([walletSerialOf(foreign.accountId, theirs.public_id)])
  expect((await openPhone(ball.origin).changed(TYPE)).status).toBe(204)
  // The first phone is still the only one that is told.
  await move(ball, item, 'A-5')
  await ball.workOffJobs()
  expect(apns.pushesTo(phone.pushToken)).toHaveLength(1)
  expect(apns.pushesTo(stranger.pushToken)).toEqual([])
})

test('a phone with passes of two venues gets both, and a link of one venue opens nothing of the other', async () => {
  const [ball, second] = [await openWinterBall(), await openWinterBall()]
  const [item, other] = [await seated(ball), await seated(second)]
  const phone = openPhone(ball.origin)
  await phone.install(linkOf(ball, item))
  await phone.install(linkOf(second, other))
  const both = (await (await phone.changed(TYPE)).json()) as { serialNumbers: string[] }
  expect(both.serialNumbers.toSorted()).toEqual(
    [walletSerialOf(ball.accountId, item.public_id), walletSerialOf(second.accountId, other.public_id)].toSorted(),
  )
  expect((await fetch(ball.origin + linkOf(second, item))).status).toBe(404)
  expect((await fetch(`${ball.origin + linkOf(ball, item)}x`)).status).toBe(404)
  expect((await fetch(ball.origin + linkOf(ball, item).replace('/apple/', '/orders/'))).status).toBe(404)
})

test('dead tokens are dropped, busy answers wait as long as they are told, and silence is tried again', async () => {
  const ball = await openWinterBall()
  const item = await seated(ball)
  const phones = Array.from({ length: 4 }, () => openPhone(ball.origin))
  for (const phone of phones) await phone.install(linkOf(ball, item))
  const [gone, bad, busy, well] = phones as [
    (typeof phones)[0],
    (typeof phones)[0],
    (typeof phones)[0],
    (typeof phones)[0],
  ]
  apns.manners.set(gone.pushToken, { status: 410, reason: 'Unregistered' })
  apns.manners.set(bad.pushToken, { status: 400, reason: 'BadDeviceToken' })
  apns.manners.set(busy.pushToken, { status: 429, headers: { 'retry-after': '77' }, reason: 'TooManyRequests' })
  const { pool } = ball.app.database
  await pool.query(`delete from lane_jobs where account_id = $1`, [ball.accountId])
  await move(ball, item, 'A-2')
  await ball.workOffJobs()
  const registered = async () => {
    const { rows } = await pool.query('select push_token from wallet_registrations where account_id = $1', [
      ball.accountId,
    ])
    return rows.map((row) => row.push_token).toSorted()
  }
  expect(await registered()).toEqual([busy.pushToken, well.pushToken].toSorted())
  expect(apns.pushesTo(well.pushToken)).toHaveLength(1)
  const { rows } = await pool.query(
    `select extract(epoch from run_at - clock_timestamp())::int as seconds from lane_jobs
     where lane = 'wallet' and account_id = $1`,
    [ball.accountId],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0].seconds).toBeGreaterThan(70)
  expect(rows[0].seconds).toBeLessThanOrEqual(77)

  apns.manners.clear()
  apns.heard.length = 0
  await pool.query(`update lane_jobs set run_at = clock_timestamp() where account_id = $1`, [ball.accountId])
  await ball.workOffJobs()
  expect(phones.map(({ pushToken }) => apns.pushesTo(pushToken).length)).toEqual([0, 0, 1, 0])
})

test('a push server that says nothing is waited for ten seconds, once for all, and holds up no mail', async () => {
  const ball = await openWinterBall()
  const item = await seated(ball)
  const phone = openPhone(ball.origin)
  await phone.install(linkOf(ball, item))
  const { pool } = ball.app.database
  await pool.query(`delete from lane_jobs where account_id = $1`, [ball.accountId])
  apns.manners.set(phone.pushToken, 'silent')
  await move(ball, item, 'A-2')
  await ball.party({ delivery_email: 'mail@guest.example' })
  const startedAt = performance.now()
  const working = ball.workOffJobs()
  await expect
    .poll(
      async () =>
        (await pool.query(`select from lane_jobs where lane = 'mail' and account_id = $1`, [ball.accountId])).rowCount,
      {
        timeout: 8_000,
      },
    )
    .toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(9_000)
  await working
  const { rows } = await pool.query(
    `select state, last_error from lane_jobs where lane = 'wallet' and account_id = $1`,
    [ball.accountId],
  )
  expect(rows).toEqual([{ state: 'later', last_error: 'There was no answer' }])

  apns.manners.clear()
  await expect
    .poll(
      async () => {
        // Nobody waits for the next try here, so that it does not count as one either.
        await pool.query(
          `update lane_jobs set run_at = clock_timestamp(), attempts = 1 where lane = 'wallet' and state = 'later'`,
        )
        await ball.workOffJobs()
        return (await pool.query(`select from lane_jobs where lane = 'wallet' and account_id = $1`, [ball.accountId]))
          .rowCount
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBe(0)
  expect(await phone.hearPush(TYPE)).toHaveLength(1)
})

test('a storm of registrations ends with twenty phones and as many rows', async () => {
  const ball = await openWinterBall()
  const item = await seated(ball)
  const phones = Array.from({ length: 30 }, () => openPhone(ball.origin))
  const held = await phones[0]!.download(linkOf(ball, item))
  const answers = await Promise.all(phones.map((phone) => phone.register(held)))
  expect(answers.map(({ status }) => status)).toEqual(phones.map(() => 201))
  const { rows } = await ball.app.database.pool.query(
    'select count(*)::int as count from wallet_registrations where account_id = $1',
    [ball.accountId],
  )
  expect(rows[0].count).toBe(20)
  const waiting = await ball.app.database.pool.query(
    `select count(*)::int as count from lane_jobs where lane = 'wallet' and account_id = $1`,
    [ball.accountId],
  )
  expect(waiting.rows[0].count).toBe(1)
})

test('a push token or a log that is no such thing is refused or left, and costs nothing', async () => {
  const ball = await openWinterBall()
  const phone = openPhone(ball.origin)
  const held = await phone.download(linkOf(ball, await seated(ball)))
  const address = `/devices/${phone.device}/registrations/${TYPE}/${held.pass.json.serialNumber}`
  const secret = { authorization: `ApplePass ${held.pass.json.authenticationToken}` }
  for (const pushToken of [undefined, null, 7, '', '../../3/device/x', 'g'.repeat(64), 'a'.repeat(500), ['ab']]) {
    expect((await phone.ask('POST', address, secret, { pushToken })).status, String(pushToken)).toBe(422)
  }
  expect(
    (await phone.ask('POST', '/log', {}, { logs: ['[2026] something went wrong', 7, 'x'.repeat(2_000)] })).status,
  ).toBe(200)
  expect(ball.logged.some((line) => line.includes('something went wrong'))).toBe(true)
  expect(ball.logged.some((line) => line.includes('x'.repeat(600)))).toBe(false)
  expect((await phone.ask('POST', '/log', {}, {})).status).toBe(200)
  expect([...new Map(readZip(held.bytes)).keys()]).toContain('pass.json')
})
