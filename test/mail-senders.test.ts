import { expect, test } from 'vitest'
import { header } from './kit/network/read-eml.ts'
import { newGuest, openSignups } from './kit/venue/signups.ts'
import { mailsTo } from './kit/venue/outbox.ts'

const FOYER = 'Foyer <no-reply@localhost>'

/** A mail of every kind: who it is from, and where an answer to it goes. */
const sendersOf = async (change: (account: Record<string, unknown>) => void) => {
  const ball = await openSignups((_event, file) => {
    change(file['account'])
    file['vouchers'] = [
      {
        key: 'sold',
        amount: '50.00',
        source: 'shop',
        purchase: {
          status: 'paid',
          payment_provider: 'stripe',
          paid_amount: '50.00',
          customer_name: 'Bea Buyer',
          customer_email: 'bea@guest.example',
          delivery_mode: 'email_now',
          paid_at: '-PT1H',
          deliveries: [
            {
              audience: 'buyer',
              recipient_name: 'Bea Buyer',
              recipient_email: `bea.${file['account'].subdomain}@guest.example`,
              failed_at: '-PT1H',
              failure_message: 'no',
              attempts_count: 1,
            },
          ],
        },
      },
    ]
  })
  const { subdomain } = ball.file['account']
  const [signup, invited] = [newGuest(), newGuest()]
  const { public_url } = await ball.link()
  await ball.submit(public_url, { name: 'Zoë', email: signup })
  await ball.office.post('/admin/invitations', { invitation: { email: invited, role: 'manager' } })
  const retry = `/admin/voucher_deliveries/${ball.report.vouchers['sold']!.deliveries[0]}/retry`
  expect((await ball.office.post(retry)).status).toBe(202)
  await ball.mailsTo(signup)
  await ball.approve(await ball.requestOf(signup))
  const asking = await fetch(`${ball.origin}/sign_in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ email: 'olga@neue-halle.example' }),
  })
  expect(asking.status).toBeLessThan(400)
  await ball.workOffJobs()

  const told = async (address: string) =>
    (await mailsTo(ball, address)).map((mail) => [header(mail, 'From'), header(mail, 'Reply-To')])
  return {
    venue: [...(await told(signup)), ...(await told(invited)), ...(await told(`bea.${subdomain}@guest.example`))],
    app: (await told('olga@neue-halle.example')).slice(-1),
  }
}

test('mail to guests, buyers and staff is from the venue, and answers go where the venue wants them', async () => {
  const { venue, app } = await sendersOf((account) => {
    account['name'] = 'Kaispeicher'
    account['reply_to_email'] = 'Office@Kaispeicher.example'
  })
  expect(venue).toHaveLength(4)
  for (const sender of venue)
    expect(sender).toEqual(['Kaispeicher <no-reply@localhost>', 'Kaispeicher <office@kaispeicher.example>'])
  expect(app).toEqual([[FOYER, undefined]])
})

test('a venue that names no address gives nobody’s away', async () => {
  const { venue } = await sendersOf((account) => {
    account['name'] = 'Гамбург, "Kai" <кай@evil.example>'
  })
  expect(venue).toHaveLength(4)
  for (const [from, replyTo] of venue) {
    expect(from).toContain('<no-reply@localhost>')
    expect(from).toContain('Гамбург')
    expect(replyTo).toBeUndefined()
  }
})
