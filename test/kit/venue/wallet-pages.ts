import { openBuyer } from './checkouts.ts'
import { atShop } from './shop.ts'
import { openSignups } from './signups.ts'

/** A ticket that was bought, and its buyer's own page. */
export const buyTicket = async () => {
  const buyer = await openBuyer()
  const bought = await buyer.buy([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  const visit = (language: string) =>
    buyer.shop.get(`/orders/${bought.token}`, { headers: { accept: 'text/html', 'accept-language': language } })
  return { buyer, bought, visit }
}

/** The own page of a guest who signed up and was let on the list. */
export const visitOwnPage = async () => {
  const ball = await openSignups()
  const form = await ball.link({})
  await ball.submit(form.public_url, { email: 'ada@engine.example' })
  await ball.approve(await ball.requestOf('ada@engine.example'))
  const { pathname } = new URL(await ball.ownPage('ada@engine.example'))
  return (await atShop(ball).get(pathname, { headers: { accept: 'text/html' } })).text
}
