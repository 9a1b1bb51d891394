/** What the pages of a purchase add to the shared style. */
export const SHOP_STYLE = `
.sheet { max-width: 42rem; margin: 0 auto; }
.sheet h1 { font-size: clamp(1.75rem, 1.3rem + 2vw, 2.5rem); }
.notice { margin: 1rem 0; }
.offer label { font-weight: 500; font-size: 0.9375rem; }
.optional { color: var(--muted); font-weight: 400; font-size: 0.9375rem; }
.checkout, .products, h1 + .card { margin-top: 1.5rem; }
.checkout { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
@media (min-width: 56rem) { .checkout { grid-template-columns: minmax(0, 1fr) 22rem; } .checkout .basket { order: 2; position: sticky; top: 1.25rem; } }
.checkout h2 { margin-bottom: 0.5rem; }
.card + .card, .actions + .card, .card + p { margin-top: 1.25rem; }
.offer { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.25rem 1rem; align-items: center; padding: 1rem 0;
  border-top: 1px solid var(--line); }
h2 + .offer { border-top: 0; padding-top: 0.25rem; }
.offer h3, .offer p { margin: 0; }
.offer .field { margin: 0; }
.offer .price { font-weight: 650; text-align: right; }
.offer .wide { grid-column: 1 / -1; }
.offer select { min-width: 5.5rem; }
.gone { opacity: 0.72; }
.sums { width: 100%; border-collapse: collapse; }
.sums th { text-align: left; font-weight: 400; padding: 0.35rem 0.75rem 0.35rem 0; vertical-align: top; }
.sums td { text-align: right; padding: 0.35rem 0; white-space: nowrap; vertical-align: top; font-variant-numeric: tabular-nums; }
.sums .total th, .sums .total td { border-top: 1px solid var(--line); padding-top: 0.6rem; font-weight: 700; font-size: 1.125rem; }
.clock { font-variant-numeric: tabular-nums; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; margin-top: 1.5rem; }
.actions button { flex: 1 1 12rem; }
.link { background: none; border: 0; color: var(--accent); text-decoration: underline; min-height: 2.75rem; padding: 0.25rem;
  font-weight: 500; flex: 0 0 auto; }
.two { display: grid; gap: 0 1rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 30rem) { .two { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
details.more { margin: 1rem 0; }
details.more summary { cursor: pointer; color: var(--accent); font-weight: 600; min-height: 2.75rem; display: flex; align-items: center; }
.stage { margin: 1rem 0; padding: 0.35rem; text-align: center; background: var(--line); border-radius: 6px; font-size: 0.875rem; }
.stage + * { margin-top: 1rem; }
.plan { overflow-x: auto; padding-bottom: 0.5rem; }
.plan table { border-collapse: separate; border-spacing: 4px; }
.plan th { font-weight: 600; font-size: 0.875rem; white-space: nowrap; padding-right: 0.5rem; text-align: left; }
.seat { position: relative; display: inline-grid; }
.seat input { position: absolute; inset: 0; opacity: 0; width: 100%; height: 100%; margin: 0; cursor: pointer; }
.seat span { display: grid; place-items: center; min-width: 2.75rem; height: 2.75rem; padding: 0 0.25rem; white-space: nowrap; border: 1px solid var(--control);
  border-radius: 8px; font-size: 0.875rem; font-weight: 650; background: var(--raised); }
.seat input:checked + span { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.seat input:focus-visible + span { outline: 3px solid var(--accent); outline-offset: 2px; }
.seat input:disabled { cursor: not-allowed; }
.seat input:disabled + span { border-style: dashed; color: var(--muted); background: transparent; text-decoration: line-through; }
.tickets { list-style: none; padding: 0; }
.tickets li { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; justify-content: space-between; padding: 0.875rem 0; border-top: 1px solid var(--line); }
.tickets li > span { min-width: 0; overflow-wrap: anywhere; }
.tickets code { font-size: 1.125rem; font-weight: 700; letter-spacing: 0.04em; }
.instructions { white-space: pre-line; }
.product img { border-radius: 10px; width: 100%; aspect-ratio: 16 / 9; object-fit: cover; margin-bottom: 1rem; }
.products { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); }
.products .card + .card { margin-top: 0; }
`
