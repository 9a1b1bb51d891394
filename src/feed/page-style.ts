/** What the programme and the event page add to the shared style. */
export const FEED_STYLE = `
.lead { font-size: 1.1875rem; color: var(--muted); margin-top: 0.5rem; }
.month { margin: 2.75rem 0 1rem; padding-bottom: 0.5rem; border-bottom: 2px solid var(--text); }

.event { position: relative; display: grid; grid-template-columns: 3.75rem minmax(0, 1fr); gap: 0.25rem 1.125rem;
  padding: 1.25rem 0; border-bottom: 1px solid var(--line); }
.event .date { text-align: center; line-height: 1.15; }
.event .date span { display: block; font-size: 0.8125rem; font-weight: 650; color: var(--muted); text-transform: uppercase;
  letter-spacing: 0.06em; }
.event .date strong { display: block; font-size: 2rem; font-weight: 750; letter-spacing: -0.03em; }
.event h3 { font-size: 1.375rem; letter-spacing: -0.02em; }
.event h3 a { color: inherit; text-decoration: none; }
.event h3 a::after { content: ''; position: absolute; inset: 0; border-radius: 10px; }
.event:hover h3 a { text-decoration: underline; text-decoration-thickness: 2px; }
.event p { margin: 0.25rem 0 0; }
.event .offer { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 0.75rem; margin-top: 0.5rem; }
.event .price { font-weight: 650; }
.event .picture { display: none; }
.picture { overflow: hidden; border-radius: 12px; background: var(--sunken); }
.picture img { width: 100%; height: 100%; object-fit: cover; }
@media (min-width: 44rem) {
  .event { grid-template-columns: 4.5rem minmax(0, 1fr) 12rem; padding: 1.5rem 0; align-items: start; }
  .event .picture { display: block; aspect-ratio: 16 / 10; }
  .event.bare { grid-template-columns: 4.5rem minmax(0, 1fr); }
}
.empty { margin-top: 2rem; }

.banner { aspect-ratio: 16 / 9; margin: 0 0 1.75rem; border-radius: 16px; }
@media (min-width: 60rem) { .banner { aspect-ratio: 21 / 9; } }
.when { margin: 0.75rem 0 0; font-size: 1.25rem; font-weight: 600; }
.title { margin-bottom: 2rem; }
.title .notice { margin-top: 1.25rem; }
.columns { display: grid; gap: 2.5rem; }
.columns > * { min-width: 0; }
.story section + section { margin-top: 2.75rem; }
section > h2 { margin-bottom: 1rem; }
.aside { display: grid; gap: 1.25rem; align-content: start; }
@media (min-width: 60rem) {
  .columns { grid-template-columns: minmax(0, 1fr) 23rem; gap: 3.5rem; }
  .aside { grid-column: 2; }
  .story { grid-column: 1; grid-row: 1; }
  .storyless { grid-template-columns: minmax(0, 1fr); }
  .storyless .aside { grid-column: 1; grid-template-columns: repeat(2, minmax(0, 1fr)); align-items: start; }
}
.prose > :first-child { margin-top: 0; }
.prose { max-width: 65ch; }
.prose h2 { font-size: 1.1875rem; margin-top: 1.75rem; }
.prose blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--muted); }
.prose pre { overflow-x: auto; padding: 0.75rem; background: var(--sunken); border-radius: 8px; }

.facts { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.625rem 1.25rem; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; }
.facts address { font-style: normal; }
.card h2 { font-size: 1.125rem; margin-bottom: 0.875rem; }
.card .links { margin: 1rem 0 0; display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; }

.ticket { display: grid; grid-template-columns: minmax(0, 1fr) max-content; gap: 0.125rem 1rem; align-items: baseline;
  padding: 0.25rem 0 0.25rem 0.875rem; border-left: 4px solid var(--line); margin-bottom: 1.125rem; }
.ticket h3 { font-size: 1.0625rem; letter-spacing: 0; }
.ticket .price { font-weight: 700; text-align: right; font-variant-numeric: tabular-nums; }
.ticket .state { text-align: right; }
.ticket ul { grid-column: 1 / -1; margin: 0.25rem 0 0; padding-left: 1.1rem; color: var(--muted); font-size: 0.9375rem; }
.ticket p { margin: 0; }
.ticket.gone h3, .ticket.gone .price { color: var(--muted); font-weight: 600; }
summary { cursor: pointer; padding: 0.625rem 0; font-weight: 600; }
.code summary { color: var(--accent); font-weight: 500; padding-bottom: 0; }
.code form { display: flex; gap: 0.5rem; align-items: end; margin-top: 0.75rem; }
.code .field { flex: 1; margin: 0; }

.performer { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem 1.25rem; padding: 1.25rem 0; border-top: 1px solid var(--line); }
.performer.pictured { grid-template-columns: 6rem minmax(0, 1fr); }
.performer .picture { aspect-ratio: 1; }
.performer p { margin: 0.25rem 0 0; }
.performer .links { display: flex; flex-wrap: wrap; gap: 0 1rem; margin-top: 0.375rem; }
.links a { display: inline-block; padding: 0.25rem 0; }
.question { border-top: 1px solid var(--line); }
.question p { margin: 0 0 1rem; white-space: pre-line; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: 0.75rem; }
.gallery .picture { aspect-ratio: 4 / 3; }
.more { margin-top: 2rem; }
`
