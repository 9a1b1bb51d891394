import { expect, test } from 'vitest'
import { askAtHost } from '../../test/kit/network/ask-at-host.ts'
import { readPdf } from '../../test/kit/venue/read-pdf.ts'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'

const ask = async (ball: WinterBall, party: { public_id: string }) => {
  const reply = await askAtHost(ball.origin, `${ball.partyPath(party)}/tickets`, {
    method: 'GET',
    headers: { host: 'localhost', authorization: `Bearer ${ball.report.api_tokens['office read']}` },
  })
  return { status: reply.status, headers: reply.headers, file: Buffer.from(await reply.arrayBuffer()) }
}

test('the tickets of a party are printed without an address to mail them to, a page for each person', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ customer_name: 'Petra Press', party_size: 2, attendee_names: { 1: 'Paul Photo' } })
  const { status, headers, file } = await ask(ball, party)
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'application/pdf',
    'private, no-store',
  ])
  const pages = readPdf(file).pages.map(({ texts }) => texts.join(' '))
  expect(pages).toHaveLength(2)
  expect(pages[0]).toContain('Petra Press')
  expect(pages[1]).toContain('Paul Photo')
  expect(pages[1]).toContain(party.admissions[1].display_check_in_code)
})

test('a cancelled party has no tickets any more', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ customer_name: 'Petra Press' })
  await ball.office.post(ball.partyPath(party, '/cancellation'))
  expect((await ask(ball, party)).status).toBe(404)
})
