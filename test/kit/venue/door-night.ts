import { addOrder, addTicket } from './orders.ts'
import type { VenueFile } from './neue-halle.ts'
import { openVenue } from './venue.ts'

/** An evening at Neue Halle, with a guest for every verdict; another event is on next door. */
export const openDoorNight = async (change: (file: VenueFile) => void = () => {}) => {
  const venue = await openVenue((file) => {
    file['events'].push({
      slug: 'long-night',
      title: 'The Long Night',
      venue: 'halle',
      starts_at: '+PT1H',
      doors_open_at: '-PT1H',
      reentry: true,
      tickets: [{ key: 'ga', title: 'General admission', color: '#2f6fed' }],
    })
    change(file)
  })
  const slug = 'long-night'
  const fine = await addTicket(venue, slug, { customerName: 'Zoë Lindqvist' })
  const second = await addTicket(venue, slug, { customerName: 'Bjørn Ångström' })
  const third = await addTicket(venue, slug, { customerName: 'Cleo Okonkwo' })
  const [noted] = await addOrder(venue, slug, {
    origin: 'guest_list',
    customerName: 'Petra Press',
    staffNote: 'Press table, ask for Ida',
  })
  const party = await addOrder(venue, slug, {
    customerName: 'Familie Yılmaz',
    admissions: ['Ayşe Yılmaz', 'Can Yılmaz', 'Deniz Yılmaz', 'Ela Yılmaz'].map((attendeeName) => ({ attendeeName })),
  })
  const unpaid = await addTicket(venue, slug, { customerName: 'Uwe Unpaid', status: 'unpaid' })
  const refunded = await addTicket(venue, slug, { customerName: 'Rita Refunded', status: 'refunded' })
  const elsewhere = await addTicket(venue, 'spring-night', { customerName: 'Ella Elsewhere' })
  return { venue, slug, fine, second, third, noted: noted!, party, unpaid, refunded, elsewhere, count: 10 }
}

export type DoorNight = Awaited<ReturnType<typeof openDoorNight>>

/** What the log of the event says, oldest first. */
export const readLog = async ({ venue, slug }: Pick<DoorNight, 'venue' | 'slug'>) => {
  const { body } = await venue.office.get(`/scanner/events/${slug}/attempts`)
  return (body.attempts as { public_id: string; kind: string; result: string; message: string; scanned_at: string }[])
    .map(({ public_id, kind, result, message, scanned_at }) => ({ public_id, kind, result, message, scanned_at }))
    .toReversed()
}
