import type { PageContext } from './page-parts.ts'
import type { WholeShownEvent } from './wire.ts'

/** The event in the words of schema.org, of nothing but what the page shows. */
export const structuredEvent = (event: WholeShownEvent, { shop, isCancelled, isPrivate }: PageContext): object => ({
  '@context': 'https://schema.org',
  '@type': 'Event',
  name: event.title,
  url: event.url,
  startDate: event.starts_at,
  ...(event.show_end_time && { endDate: event.ends_at }),
  ...(event.doors_open_at && { doorTime: event.doors_open_at }),
  eventStatus: `https://schema.org/${isCancelled ? 'EventCancelled' : 'EventScheduled'}`,
  eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
  ...(event.description !== '' && { description: event.description }),
  image: [event.image_url, event.background_image_url, ...event.gallery_image_urls].filter((each) => each !== null),
  ...(event.minimum_age !== null && { typicalAgeRange: `${event.minimum_age}-` }),
  location: locationOf(event),
  organizer: { '@type': 'Organization', name: shop.name, url: `${shop.origin}/events` },
  performer: event.performers.map(({ name, performer_type: type, links }) => ({
    '@type': type === 'person' ? 'Person' : 'PerformingGroup',
    name,
    sameAs: Object.values(links).filter((each) => each !== null),
  })),
  ...(!isPrivate && { offers: offersOf(event) }),
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

const offersOf = (event: WholeShownEvent) =>
  event.tickets.map((ticket) => ({
    '@type': 'Offer',
    name: ticket.title,
    url: event.url,
    price: ticket.price.amount,
    priceCurrency: ticket.price.currency,
    availability: `https://schema.org/${availabilityOf(ticket)}`,
    ...(event.sales_starts_at && { validFrom: event.sales_starts_at }),
    ...(event.sales_ends_at && { validThrough: event.sales_ends_at }),
  }))

const availabilityOf = ({ sold_out: isGone, low_stock: isLow }: WholeShownEvent['tickets'][number]) => {
  if (isGone) return 'SoldOut'
  return isLow ? 'LimitedAvailability' : 'InStock'
}
