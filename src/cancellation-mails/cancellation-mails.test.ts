import { expect, test } from 'vitest'
import { bodyOf, header, mailbox } from '../../test/kit/network/read-eml.ts'
import { mailsTo, readOutbox } from '../../test/kit/venue/outbox.ts'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'

const CANCELLATION = '/admin/events/winter-ball/cancellation'

const cancel = async ({ office }: WinterBall, body: object = { notify: true }) => {
  const reply = await office.post(CANCELLATION, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** An address of this test alone: all venues of a file share one outbox. */
const newAddress = (name: string) => `${name}.${Math.random().toString(36).slice(2)}@guest.example`

/** What an address was told of the cancellation, among tickets and whatever else it was sent. */
const cancellationsTo = async (ball: WinterBall, address: string) =>
  (await mailsTo(ball, address)).filter((mail) => header(mail, 'Subject')!.startsWith('Cancelled'))

/** The subjects of all that an address was told of the cancellation. */
const toldOf = async (ball: WinterBall, address: string) => {
  await ball.workOffJobs()
  return (await cancellationsTo(ball, address)).map((mail) => header(mail, 'Subject')!)
}

test('everybody who has a ticket is told once, from the venue, whatever script their name is in', async () => {
  const names = ['Zoë Müller', 'Łukasz Żółć', 'Иван Петров', '王小明', 'عمر حسن', 'שרה כהן', '김민준']
  const ball = await openWinterBall((_event, file) => {
    file['account'].reply_to_email = 'box-office@neue-halle.example'
  })
  const guests = names.map((name, n) => ({ name, address: newAddress(`guest${n}`) }))
  for (const { name, address } of guests) await ball.party({ customer_name: name, delivery_email: address })
  await cancel(ball)

  for (const { name, address } of guests) {
    expect(await toldOf(ball, address)).toEqual(['Cancelled: Winter Ball'])
    const mail = (await cancellationsTo(ball, address)).at(-1)!
    expect(mailbox(mail, 'to')).toEqual({ name, address })
    expect(mailbox(mail, 'from').name).toBe(ball.file['account'].name)
    expect(mailbox(mail, 'reply-to').address).toBe('box-office@neue-halle.example')
    for (const text of [bodyOf(mail, 'text/plain'), bodyOf(mail, 'text/html')]) {
      expect(text).toContain(name)
      expect(text).toContain('is cancelled')
    }
  }
})

test('two orders of one address are one mail that names both', async () => {
  const ball = await openWinterBall()
  const address = newAddress('ada')
  const first = await ball.party({ customer_name: 'Ada', delivery_email: address })
  const second = await ball.party({ customer_name: 'Ada', delivery_email: address.toUpperCase() })
  await cancel(ball)
  expect(await toldOf(ball, address)).toHaveLength(1)
  const text = bodyOf((await cancellationsTo(ball, address)).at(-1)!, 'text/plain')
  const { rows } = await ball.app.database.pool.query<{ order_code: string }>(
    'select order_code from orders where public_id = any ($1)',
    [[first.public_id, second.public_id]],
  )
  for (const { order_code: code } of rows) expect(text).toContain(code)
})

test('whoever bought at the shop is told too, and whoever has no ticket any more is not', async () => {
  const [buyer, refunded, gone] = [newAddress('buyer'), newAddress('refunded'), newAddress('gone')]
  const ball = await openWinterBall((event) => {
    const order = (key: string, email: string, status: string) => ({
      key,
      customer_name: 'Bea Buyer',
      customer_email: email,
      status,
      items: [{ ticket: 'ga' }],
    })
    event['orders'] = [order('bea', buyer, 'paid'), order('rick', refunded, 'refunded')]
  })
  const party = await ball.party({ delivery_email: gone })
  expect((await ball.office.post(ball.partyPath(party, '/cancellation'))).status).toBeLessThan(300)
  await cancel(ball)
  expect(await toldOf(ball, buyer)).toHaveLength(1)
  expect(await toldOf(ball, refunded)).toEqual([])
  expect(await toldOf(ball, gone)).toEqual([])
})

test('cancelling again tells nobody again, and tells those whom nobody has told', async () => {
  const ball = await openWinterBall()
  const address = newAddress('ada')
  await ball.party({ delivery_email: address })
  const first = await cancel(ball, {})
  expect(await toldOf(ball, address)).toEqual([])
  expect(await cancel(ball)).toEqual(first)
  expect(await toldOf(ball, address)).toHaveLength(1)
  await cancel(ball)
  await cancel(ball)
  expect(await toldOf(ball, address)).toHaveLength(1)
})

test('a cancellation that is taken back in time is told to nobody; one that is made anew is told anew', async () => {
  const ball = await openWinterBall()
  const address = newAddress('ada')
  await ball.party({ delivery_email: address })
  await cancel(ball)
  await ball.office.delete(CANCELLATION)
  expect(await toldOf(ball, address)).toEqual([])
  await cancel(ball)
  expect(await toldOf(ball, address)).toHaveLength(1)
  await ball.office.delete(CANCELLATION)
  await cancel(ball)
  expect(await toldOf(ball, address)).toHaveLength(2)
})

test('a thousand addresses are found in batches, and begun again nobody is told twice', async () => {
  const mark = Math.random().toString(36).slice(2)
  const ball = await openWinterBall((event) => {
    event['capacity'] = null
    event['tickets'].push({ key: 'many', title: 'Many' })
    event['orders'] = Array.from({ length: 1_200 }, (_, n) => ({
      key: `o${n}`,
      customer_name: `Guest ${n}`,
      customer_email: `guest${n}@${mark}.example`,
      status: 'paid',
      items: [{ ticket: 'many' }],
    }))
  })
  await cancel(ball)
  await cancel(ball)
  await ball.workOffJobs()
  const told = (await readOutbox(ball))
    .map((mail) => mailbox(mail, 'to').address)
    .filter((address) => address.endsWith(`@${mark}.example`))
  expect([told.length, new Set(told).size]).toEqual([1200, 1200])
})
