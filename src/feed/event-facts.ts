import { html } from '../kernel/html.ts'
import { showTimeWithDayIfOther, showDayWithComma, showTime } from '../kernel/times.ts'
import type { Language } from '../languages/rules.ts'
import type { ShownEvent } from './wire.ts'
import { FEED_WORDS } from './words.ts'

/** When and where, in the venue's own time. */
export const showWhenAndWhere = (event: ShownEvent, language: Language) => {
  const words = FEED_WORDS[language]
  const { time_zone: zone, starts_at: start } = event
  return html`<section class="card" aria-labelledby="facts">
    <h2 id="facts">${words.whenAndWhere}</h2>
    <dl class="facts">
      <dt>${words.date}</dt>
      <dd>${showDayWithComma(start, zone, language)}</dd>
      ${
        event.doors_open_at &&
        html`<dt>${words.doors}</dt>
          <dd>
            <time datetime="${event.doors_open_at}"
              >${showTimeWithDayIfOther(event.doors_open_at, zone, start, language)}</time
            >
          </dd>`
      }
      <dt>${words.start}</dt>
      <dd><time datetime="${start}">${showTime(start, zone, language)}</time></dd>
      ${
        event.show_end_time &&
        html`<dt>${words.end}</dt>
          <dd>
            <time datetime="${event.ends_at}">${showTimeWithDayIfOther(event.ends_at, zone, start, language)}</time>
          </dd>`
      }
      ${showVenue(event, language)}
      ${
        event.minimum_age !== null &&
        event.minimum_age > 0 &&
        html`<dt>${words.age}</dt>
          <dd>${words.fromAge(event.minimum_age)}</dd>`
      }
    </dl>
    <p class="links small">
      ${mapLink(event, language)} <a href="/events/${event.slug}.ics">${words.addToCalendar}</a>
    </p>
    <p class="muted small">${words.timesAreOf(zone.replaceAll('_', ' '))}</p>
  </section>`
}

const showVenue = ({ venue }: ShownEvent, language: Language) => {
  const town = [venue.postal_code, venue.city].filter((each) => each).join(' ')
  const lines = [venue.address, town].filter((each) => each !== '')
  if (venue.name === '' && lines.length === 0) return null
  return html`<dt>${FEED_WORDS[language].venue}</dt>
    <dd>
      <address dir="auto">
        ${venue.name !== '' && html`<strong>${venue.name}</strong>`}${lines.map((line) => html`<br />${line}`)}
      </address>
    </dd>`
}

/** OpenStreetMap, by coordinates where the venue has them and by its address where it has not. */
const mapLink = ({ venue }: ShownEvent, language: Language) => {
  const address = [venue.address, venue.postal_code, venue.city, venue.country].filter((each) => each).join(', ')
  const place =
    venue.latitude !== null && venue.longitude !== null
      ? `?mlat=${venue.latitude}&mlon=${venue.longitude}#map=17/${venue.latitude}/${venue.longitude}`
      : address !== '' && `search?query=${encodeURIComponent(address)}`
  return (
    place &&
    html`<a href="https://www.openstreetmap.org/${place}" rel="noopener noreferrer"
      >${FEED_WORDS[language].showOnMap}</a
    >`
  )
}
