import { expect, test } from 'vitest'
import { askAtHost } from '../../test/kit/network/ask-at-host.ts'
import { atShop } from '../../test/kit/venue/shop.ts'
import { openVenue, theApp } from '../../test/kit/venue/venue.ts'

test('the account is shown, and changed by what is sent', async () => {
  const venue = await openVenue()
  const { office, reader } = venue
  const before = await reader.get('/admin/account')
  expect(before.body).toMatchObject({
    currency: 'EUR',
    time_zone: 'Europe/Berlin',
    language: 'en',
    shop_published: true,
    shop_url: venue.report.account.shop_url,
  })

  const changed = await office.patch('/admin/account', {
    account: { name: 'Alte Halle', language: 'de', reply_to_email: 'Office@Halle.example', time_zone: 'Europe/London' },
  })
  expect(changed.status, changed.text).toBe(200)
  expect(changed.body).toMatchObject({
    name: 'Alte Halle',
    language: 'de',
    reply_to_email: 'office@halle.example',
    time_zone: 'Europe/London',
    custom_domains: before.body.custom_domains,
  })
  expect((await reader.get('/admin/account')).body).toEqual(changed.body)
  expect((await office.patch('/admin/account', { account: { name: 'Alte Halle' } })).body).toEqual(changed.body)
})

test('a shop that is taken off and put back is seen so at once', async () => {
  const venue = await openVenue()
  const shop = atShop(venue)
  expect((await shop.get('/events')).status).toBe(200)
  await venue.office.patch('/admin/account', { account: { shop_published: false } })
  expect((await shop.get('/events')).status).toBe(404)
  await venue.office.patch('/admin/account', { account: { shop_published: true } })
  expect((await shop.get('/events')).status).toBe(200)
})

test('a shop’s own domains come and go, and are never two shops’', async () => {
  const venue = await openVenue()
  const domain = `tickets.${venue.report.account.subdomain}.example`
  const given = await venue.office.patch('/admin/account', { account: { custom_domains: [domain.toUpperCase()] } })
  expect(given.body.custom_domains).toEqual([domain])
  expect((await atShop(venue, domain).get('/events')).status).toBe(200)

  const other = await openVenue()
  const taken = await other.office.patch('/admin/account', { account: { custom_domains: ['free.example', domain] } })
  expect(taken.status).toBe(422)
  expect(taken.body.errors).toEqual({ custom_domains: ['has already been taken'] })
  expect((await other.office.get('/admin/account')).body.custom_domains).not.toContain('free.example')

  await venue.office.patch('/admin/account', { account: { custom_domains: [] } })
  const gone = await askAtHost(venue.origin, '/events', { method: 'GET', headers: { host: domain } })
  expect(gone.status).toBe(404)
})

test.each([
  [{ name: ' ' }, { name: ["can't be blank"] }],
  [{ currency: 'EURO' }, { currency: ['is not included in the list'] }],
  [{ currency: null }, { currency: ["can't be blank"] }],
  [{ language: 'fr' }, { language: ['is not included in the list'] }],
  [{ time_zone: 'Europe/Atlantis' }, { time_zone: ['is not included in the list'] }],
  [{ custom_domains: ['localhost'] }, { custom_domains: ['is an address of Foyer itself'] }],
  [{ custom_domains: ['https://a.example'] }, { custom_domains: ['is invalid'] }],
  [{ custom_domains: ['a.example', 'A.example'] }, { custom_domains: ['has the same entry twice'] }],
  [{ subdomain: 'other' }, { subdomain: ['must be blank'] }],
  [{ reply_to_email: 'office' }, { reply_to_email: ['is invalid'] }],
])('a change %j is refused by field', async (account, errors) => {
  const { office } = await openVenue()
  const before = (await office.get('/admin/account')).text
  const refused = await office.patch('/admin/account', { account })
  expect(refused.status, refused.text).toBe(422)
  expect(refused.body.errors).toEqual(errors)
  expect((await office.get('/admin/account')).text).toBe(before)
})

test('the currency is fixed once there is a voucher or a shop order; a guest party does not fix it', async () => {
  const { app } = await theApp()
  const { office, report } = await openVenue()
  const party = {
    customer_name: 'Rita',
    party_size: 1,
    ticket_id: report.events['winter-ball']!.tickets['ga'],
    deliver: false,
  }
  await office.post('/admin/events/winter-ball/guest_parties', { guest_party: party })
  expect((await office.patch('/admin/account', { account: { currency: 'CHF' } })).body.currency).toBe('CHF')

  await office.post('/admin/vouchers', { voucher: { amount: '20.00' } })
  const refused = await office.patch('/admin/account', { account: { currency: 'EUR' } })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual({ currency: ["can't be changed once there are orders or vouchers"] })
  expect((await office.patch('/admin/account', { account: { currency: 'CHF', name: 'Same' } })).status).toBe(200)

  await expect(
    app.database.pool.query(`update accounts set currency = 'EUR' where id = $1`, [report.account.id]),
  ).rejects.toThrow('the currency is kept once money was taken in it')
})

test('prices say what they said in a currency with other decimals, and one that they do not fit is refused', async () => {
  const { office, report } = await openVenue((file) => {
    const prices = { pricing_type: 'flexible', minimum_amount: '10.00', maximum_amount: '50.00' }
    file['voucher_products'] = [{ key: 'any', name: 'Any', ...prices }]
  })
  const ticket = `/admin/events/winter-ball/tickets/${report.events['winter-ball']!.tickets['ga']}`
  const choose = (currency: string) => office.patch('/admin/account', { account: { currency } })
  const prices = async () => {
    const { tickets } = (await office.get('/admin/events/winter-ball/tickets')).body
    const [product] = (await office.get('/admin/voucher_products')).body.voucher_products
    return [tickets[0].price, product.minimum_amount.amount, product.maximum_amount.amount]
  }
  expect((await choose('JPY')).body.currency).toBe('JPY')
  expect(await prices()).toEqual(['25', '10', '50'])
  expect((await choose('KWD')).body.currency).toBe('KWD')
  expect(await prices()).toEqual(['25.000', '10.000', '50.000'])

  expect((await office.patch(ticket, { ticket: { price: '25.500' } })).status).toBe(200)
  expect((await choose('EUR')).body.currency).toBe('EUR')
  expect(await prices()).toEqual(['25.50', '10.00', '50.00'])
  expect(await choose('JPY')).toRefuse(422, {
    currency: ["can't be changed: there are prices with more decimals than it has"],
  })
  expect(await prices()).toEqual(['25.50', '10.00', '50.00'])
})
