import { expect, test } from 'vitest'
import { scanQrCode, viewPdf } from '../../../test/kit/browser/pdf-viewer.ts'
import { askAtHost } from '../../../test/kit/network/ask-at-host.ts'
import { type Signups, openSignups } from '../../../test/kit/venue/signups.ts'

const print = async (ball: Signups, publicId: string, token = 'office read') => {
  const reply = await askAtHost(ball.origin, `${ball.forms}/${publicId}/poster`, {
    method: 'GET',
    headers: { host: 'localhost', authorization: `Bearer ${ball.report.api_tokens[token]}` },
  })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

test('a poster shows the event and leads to the link by its code and its address, until the link is rotated', async () => {
  const ball = await openSignups()
  const link = await ball.link({ name: 'For insiders' })
  const { status, headers, bytes } = await print(ball, link.public_id)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(headers.get('content-disposition')).toBe('inline; filename="poster-winter-ball.pdf"')
  expect(headers.get('cache-control')).toBe('private, no-store')
  const [sheet, ...others] = viewPdf(bytes)
  expect(others).toEqual([])
  const { width, height } = sheet!.picture(1)
  expect([width, height]).toEqual([596, 842])
  for (const text of ['Guest list', 'Winter Ball', 'Hafenstrasse 7', 'Scan to sign up', 'subject to confirmation'])
    expect(sheet!.text).toContain(text)
  expect(sheet!.text.replaceAll('\n', '')).toContain(link.public_url)
  // What the house calls a link is for the house.
  expect(sheet!.text).not.toContain('insiders')
  expect(scanQrCode(sheet!)).toBe(link.public_url)

  const rotated = (await ball.office.post(`${ball.forms}/${link.public_id}/rotation`)).body
  const [again] = viewPdf((await print(ball, link.public_id)).bytes)
  expect(scanQrCode(again!)).toBe(rotated.public_url)
  expect(rotated.public_url).not.toBe(link.public_url)
})

test('long and foreign titles fit on the sheet, and the code can still be scanned', async () => {
  const titles = [
    'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihung '.repeat(3).trim(),
    'ليلة الشتاء',
    '冬の舞踏会 🪩',
  ]
  const ball = await openSignups()
  const link = await ball.link({ approval_mode: 'automatic' })
  for (const title of titles) {
    await ball.app.database.pool.query('update events set title = $3 where account_id = $1 and id = $2', [
      ball.accountId,
      ball.eventId,
      title,
    ])
    const [sheet] = viewPdf((await print(ball, link.public_id)).bytes)
    expect(scanQrCode(sheet!)).toBe(link.public_url)
    expect(sheet!.text).toContain('right away')
  }
})

test('a link that is not there, or not yours to see, has no poster', async () => {
  const ball = await openSignups()
  const link = await ball.link()
  expect((await print(ball, 'nothing')).status).toBe(404)
  expect((await print(ball, link.public_id, 'sami write')).status).toBe(401)
  expect((await print(ball, link.public_id, 'cem read')).status).toBe(200)
})
