import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from '../../../test/kit/network/event-stream.ts'
import { openBuyer } from '../../../test/kit/venue/checkouts.ts'
import { enterMany, openSale } from '../../../test/kit/venue/sale.ts'

const SALE = '/admin/events/winter-ball/sale'

test('an organizer sees what is held and sold, by ticket, and that nobody waits', async () => {
  const buyer = await openBuyer()
  const { venue, tickets } = buyer
  const items = [{ ticket_id: tickets['ga'], quantity: 2 }]
  await buyer.begin(items)
  const given = await buyer.begin([...items, { ticket_id: tickets['four'], quantity: 1 }])
  await buyer.buy(items)
  expect((await venue.office.get(SALE)).body).toMatchObject({
    holds: 2,
    held: 8,
    sold: 2,
    unpaid: 0,
    waiting: 0,
    turns: 0,
    waiting_room: 'none',
    tickets: [
      { title: 'General admission', stock: 200, held: 4, sold: 2, unpaid: 0 },
      { title: 'Standing', held: 0 },
      { title: 'Balcony seat' },
      { title: 'Crew' },
      { title: 'Table of four', held: 4 },
    ],
  })
  await buyer.shop.ask('DELETE', `/checkouts/${given}`)
  expect((await venue.office.get(SALE)).body).toMatchObject({ holds: 1, held: 2 })
  expect(await venue.partner.get(SALE)).toMatchObject({ status: 200 })
  expect(await venue.partner.get('/admin/events/spring-night/sale')).toRefuse(404)
  expect(await venue.door.get(SALE)).toRefuse(401)
})

test('an organizer watches the line before the sale, and as it grows', async () => {
  const sale = await openSale({ stock: 1_000, startsIn: '+PT10M' })
  const stream = await openEventStream(`${sale.origin}${SALE}/stream`, {
    authorization: `Bearer ${sale.report.api_tokens['office read']}`,
  })
  onTestFinished(() => stream.close())
  expect(await stream.next()).toMatchObject({ event: 'sale', data: { waiting: 0, waiting_room: 'none' } })
  /** It is told once a second, so what is under way may be seen in between. */
  const heard = async (waiting: number) => {
    for (;;) {
      const { data } = await stream.next()
      if (data.waiting === waiting) return data
    }
  }
  await enterMany(sale, 120)
  expect(await heard(120)).toMatchObject({ waiting: 120, waiting_room: 'before_the_draw' })
  await sale.moveClock('10 minutes 6 seconds')
  await sale.enter()
  expect(await heard(71)).toMatchObject({ waiting_room: 'open', turns: 50, waiting: 71 })
})
