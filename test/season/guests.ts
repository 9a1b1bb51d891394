import { pickBy } from '../kit/seed.ts'
import type { House, SeasonEvent } from './house.ts'

/** Some of them would like to do more than come. */
const MISCHIEF = '<img src=x onerror=alert(1)>'

/** Who signs up, who is put on the list, who is let go, and who changes seats. */
export const openGuests = (house: House, random: () => number) => {
  const { officeToken, post, insist, create, visit } = house
  let guests = 0
  const newAddress = () => `guest-${++guests}@season.example`

  const signUp = async ({ facts }: SeasonEvent) => {
    const address = newAddress()
    const link = facts.signup_links[pickBy(random, ['ask', 'ask', 'open'])]
    const { pathname } = new URL(link.public_url)
    const name = random() < 0.2 ? MISCHIEF : `Guest ${guests}`
    const body = { guest_request: { name, email: address, companions: Math.floor(random() * 3) } }
    let reply = null
    let sent = 0
    // Whoever heard nothing sends it again, and may hear of it again.
    for (; !reply; sent++) reply = await visit('POST', pathname, { body })
    if (reply.status !== 201 && reply.status !== 200) return
    const isIn = reply.body.status === 'approved'
    if (sent > 1) {
      post.expect(address, 'own page', { least: 0, most: sent })
      post.expect(address, 'tickets', { least: 0, most: 1 })
    } else post.expect(address, isIn ? 'tickets' : 'own page')
  }

  /** Whatever waits is decided, mostly with a yes. */
  const decide = async ({ slug }: SeasonEvent) => {
    const path = `/admin/events/${slug}/guest_requests`
    const { requests } = (await insist(officeToken, 'GET', path)).body
    for (const { public_id: id, email } of requests) {
      if (random() < 0.2) {
        await insist(officeToken, 'POST', `${path}/${id}/rejection`)
        continue
      }
      const reply = await insist(house.tokenOf('mara'), 'POST', `${path}/${id}/approval`)
      if (reply.status === 200) post.expect(email, 'tickets')
    }
  }

  const parties: { slug: string; id: string; address: string }[] = []

  const addParty = async ({ slug, facts }: SeasonEvent) => {
    const address = newAddress()
    const seat = Math.floor(random() * 15)
    const what = pickBy(random, [
      { ticket_id: facts.tickets.rest, party_size: 1 + Math.floor(random() * 3) },
      { ticket_id: facts.tickets.floor, party_size: 1, event_capacity_pool_id: facts.standing_areas.back },
      { ticket_id: facts.tickets.seat, event_place_ids: [facts.places[`A-${seat}`]] },
    ])
    const party = { customer_name: `Party ${guests}`, delivery_email: address, ...what }
    const reply = await create(officeToken, `/admin/events/${slug}/guest_parties`, { guest_party: party })
    if (reply.status !== 201) return
    post.expect(address, 'tickets')
    parties.push({ slug, id: reply.body.public_id, address })
  }

  /** A party that is let go before its mail has left may never hear of its tickets. */
  const cancelParty = async () => {
    const [party] = parties.splice(Math.floor(random() * parties.length), 1)
    if (!party) return
    post.expect(party.address, 'tickets', { least: 0, most: 1 })
    await insist(officeToken, 'POST', `/admin/events/${party.slug}/guest_parties/${party.id}/cancellation`)
  }

  /** Somebody with a seat, of the list or of the shop, would rather sit elsewhere. */
  const moveSeat = async ({ slug, facts }: SeasonEvent) => {
    const { body } = await insist(house.phoneTokens[0]!, 'GET', `/scanner/events/${slug}/snapshot`)
    const seated = body.tickets.filter((each: { place_label: string | null }) => each.place_label)
    if (seated.length === 0) return
    const { public_id: id } = pickBy(random, seated) as { public_id: string }
    const place = facts.places[`A-${Math.floor(random() * 16)}`]
    await insist(officeToken, 'POST', `/admin/order_items/${id}/seat_exchange`, {
      body: { seat_exchange: { event_place_id: place } },
    })
  }

  const lookAround = async ({ slug }: SeasonEvent) => {
    await visit('GET', pickBy(random, ['/events', `/events/${slug}`]), {
      headers: { accept: pickBy(random, ['text/html', 'application/json']) },
    })
  }

  return async (event: SeasonEvent): Promise<void> => {
    const act = pickBy(random, [signUp, signUp, signUp, decide, addParty, addParty, cancelParty, moveSeat, lookAround])
    await act(event)
  }
}
