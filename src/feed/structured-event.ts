import { showTimestampWithOffset } from '../kernel/times.ts'
import { markupToPlainText } from '../rich-text/sanitize.ts'
import type { PageContext } from './page-parts.ts'
import { type OfferStatus, offerStatusOf } from './rules.ts'
import type { WholeShownEvent } from './wire.ts'

/** The event in the words of schema.org, of nothing but what the page shows. */
export const jsonLdOfEvent = (event: WholeShownEvent, { shop, isPrivate }: PageContext): object => ({
  '@context': 'https://schema.org',
  '@type': 'Event',
  name: event.title,
  url: event.url,
  startDate: showTimestampWithOffset(event.starts_at, event.time_zone),
  ...(event.show_end_time && { endDate: showTimestampWithOffset(event.ends_at, event.time_zone) }),
  ...(event.doors_open_at && { doorTime: showTimestampWithOffset(event.doors_open_at, event.time_zone) }),
  eventStatus: `https://schema.org/${event.sales_status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
  eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
  ...(event.description !== '' && { description: markupToPlainText(event.description) }),
  image: [event.image_url, event.background_image_url, ...event.gallery_image_urls].filter((each) => each !== null),
  ...(event.minimum_age !== null && { typicalAgeRange: `${event.minimum_age}-` }),
  location: locationOf(event),
  organizer: { '@type': 'Organization', name: shop.name, url: `${shop.origin}/events` },
  performer: event.performers.map(({ name, performer_type: type, links }) => ({
    '@type': type === 'person' ? 'Person' : 'PerformingGroup',
    name,
    sameAs: Object.values(links).filter((each) => each !== null),
  })),
  ...(!isPrivate && event.tickets.length > 0 && { offers: offersOf(event) }),
})

const locationOf = ({ venue }: WholeShownEvent) => ({
  '@type': 'Place',
  name: venue.name,
  address: {
    '@type': 'PostalAddress',
    streetAddress: venue.address,
    ...(venue.postal_code && { postalCode: venue.postal_code }),
    addressLocality: venue.city,
    addressCountry: venue.country,
  },
  ...(venue.latitude !== null && {
    geo: { '@type': 'GeoCoordinates', latitude: venue.latitude, longitude: venue.longitude },
  }),
})

const offersOf = (event: WholeShownEvent) => {
  const { sales_status: status, sales_starts_at: from, time_zone: zone } = event
  // Sales end with the event at the latest, but an end that the page does not show is not told here either.
  const until = event.sales_ends_at ?? (event.show_end_time ? event.ends_at : null)
  return event.tickets.map((ticket) => ({
    '@type': 'Offer',
    name: ticket.title,
    url: event.url,
    price: ticket.price.amount,
    priceCurrency: ticket.price.currency,
    availability: `https://schema.org/${AVAILABILITIES[offerStatusOf(status, ticket)]}`,
    ...(from && { validFrom: showTimestampWithOffset(from, zone) }),
    ...(until && { validThrough: showTimestampWithOffset(until, zone) }),
  }))
}

/** A ticket that is not on sale yet is one to order later, from `validFrom`. */
const AVAILABILITIES: Record<OfferStatus, string> = {
  cancelled: 'Discontinued',
  ended: 'Discontinued',
  sold_out: 'SoldOut',
  not_started: 'PreOrder',
  few_left: 'LimitedAvailability',
  on_sale: 'InStock',
}
