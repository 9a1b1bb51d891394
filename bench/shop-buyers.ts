import { takeTask } from './frame.ts'
import { openConnections } from './http-connections.ts'

/** Buyers who want two tickets each; as many at once as there are connections. */
export interface ShopTask {
  port: number
  host: string
  slug: string
  ticketId: number
  orders: number
  connections: number
  /** From the hold to the paid order; else they leave it at the hold. */
  goesOn: boolean
}

export interface ShopOutcome {
  seconds: number
}

interface CheckoutBody {
  token: string
  payment: { redirect_url: string }
}

const sell = async ({ host, slug, ticketId, orders, goesOn, ...line }: ShopTask): Promise<ShopOutcome> => {
  const send = openConnections(line)
  const ask = async (
    method: string,
    at: string,
    path: string,
    body: object,
    expected: number,
  ): Promise<CheckoutBody> => {
    const text = JSON.stringify(body)
    const answer = await send(
      `${method} ${path} HTTP/1.1\r\nHost: ${at}\r\nAccept: application/json\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
    if (answer.status !== expected) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`)
    return JSON.parse(answer.body) as CheckoutBody
  }
  const items = [{ ticket_id: ticketId, quantity: 2 }]

  const buy = async (n: number) => {
    const { token } = await ask('POST', host, '/checkouts', { checkout: { event_slug: slug, items } }, 201)
    if (!goesOn) return
    const customer = { customer_name: `Buyer ${n}`, customer_email: `buyer-${n}@bench.example` }
    await ask('PATCH', host, `/checkouts/${token}`, { checkout: customer }, 200)
    const paying = await ask('POST', host, `/checkouts/${token}/payment`, { payment_method: 'test' }, 200)
    const page = new URL(paying.payment.redirect_url)
    await ask('POST', page.host, page.pathname, { outcome: 'paid' }, 200)
  }

  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: line.connections }, async () => {
      while (next < orders) await buy(next++)
    }),
  )
  return { seconds: (performance.now() - started) / 1_000 }
}

await takeTask(sell)
