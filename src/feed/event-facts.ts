import { html } from '../kernel/html.ts'
import { showTimeRelativeTo, showDayWithComma, showTime } from '../kernel/times.ts'
import type { ShownEvent } from './wire.ts'

/** When and where, in the venue's own time. */
export const showFacts = (event: ShownEvent) => {
  const { time_zone: zone, starts_at: start } = event
  return html`<section class="card" aria-labelledby="facts">
    <h2 id="facts">When and where</h2>
    <dl class="facts">
      <dt>Date</dt>
      <dd>${showDayWithComma(start, zone)}</dd>
      ${
        event.doors_open_at &&
        html`<dt>Doors</dt>
          <dd>
            <time datetime="${event.doors_open_at}">${showTimeRelativeTo(event.doors_open_at, zone, start)}</time>
          </dd>`
      }
      <dt>Start</dt>
      <dd><time datetime="${start}">${showTime(start, zone)}</time></dd>
      ${
        event.show_end_time &&
        html`<dt>End</dt>
          <dd><time datetime="${event.ends_at}">${showTimeRelativeTo(event.ends_at, zone, start)}</time></dd>`
      }
      ${showVenue(event)}
      ${
        event.minimum_age !== null &&
        event.minimum_age > 0 &&
        html`<dt>Age</dt>
          <dd>From ${event.minimum_age}</dd>`
      }
    </dl>
    <p class="links small">${mapLink(event)} <a href="/events/${event.slug}.ics">Add to calendar</a></p>
    <p class="muted small">Times are those of ${zone.replaceAll('_', ' ')}.</p>
  </section>`
}

const showVenue = ({ venue }: ShownEvent) => {
  const town = [venue.postal_code, venue.city].filter((each) => each).join(' ')
  const lines = [venue.address, town].filter((each) => each !== '')
  if (venue.name === '' && lines.length === 0) return null
  return html`<dt>Venue</dt>
    <dd>
      <address dir="auto">
        ${venue.name !== '' && html`<strong>${venue.name}</strong>`}${lines.map((line) => html`<br />${line}`)}
      </address>
    </dd>`
}

/** OpenStreetMap, by coordinates where the venue has them and by its address where it has not. */
const mapLink = ({ venue }: ShownEvent) => {
  const address = [venue.address, venue.postal_code, venue.city, venue.country].filter((each) => each).join(', ')
  const place =
    venue.latitude !== null && venue.longitude !== null
      ? `?mlat=${venue.latitude}&mlon=${venue.longitude}#map=17/${venue.latitude}/${venue.longitude}`
      : address !== '' && `search?query=${encodeURIComponent(address)}`
  return place && html`<a href="https://www.openstreetmap.org/${place}" rel="noopener noreferrer">Show on a map</a>`
}
