import { COMPANIONS_MAX } from '../links/rules.ts'

/** Without a script: as many name fields show as companions are chosen. Where :has() is unknown, all of them do. */
const NAMES_SHOWN = Array.from(
  { length: COMPANIONS_MAX },
  (_, n) => `form:has(.count option[value='${n + 1}']:checked) .companion:nth-child(-n + ${n + 1}) { display: block; }`,
).join('\n')

export const SIGNUP_STYLE = `
.sheet { max-width: 38rem; margin: 0 auto; }
.eyebrow { margin: 0 0 0.5rem; color: var(--accent); font-weight: 700; letter-spacing: 0.06em; text-transform: uppercase;
  font-size: 0.8125rem; }
.facts { margin: 1rem 0 0; padding: 0; list-style: none; }
.facts li { margin: 0.2rem 0; color: var(--muted); }
.facts li:first-child { color: var(--text); font-size: 1.125rem; font-weight: 600; }
.sheet .card { margin-top: 1.75rem; padding: clamp(1.125rem, 4vw, 1.75rem); }
.card > h2 { margin-bottom: 0.25rem; }
.card > .notice { margin: 1rem 0; }
.sheet > .notice { margin: 1.5rem 0 0; }
.notice > :first-child { margin-top: 0; } .notice > :last-child { margin-bottom: 0; }
.notice ul { margin: 0.5rem 0 0; }
.optional { color: var(--muted); font-weight: 400; }
.trap { position: absolute; left: -100vw; width: 1px; height: 1px; overflow: hidden; }
legend { padding: 0; }
.field [aria-invalid='true'] { border-color: var(--bad); border-width: 2px; }
.choice { align-items: flex-start; } .choice > label { padding: 0.5rem 0; }
.choice > input { flex: none; margin: 0.75rem 0 0; }
.names { margin: 0; padding: 0; list-style: none; }
form button { margin-top: 0.5rem; }
@media (max-width: 30rem) { form button { width: 100%; } }
.status { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; margin: 0; }
.details { margin: 1.25rem 0 0; display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr);
  gap: 0.5rem 1.25rem; }
.details dt { color: var(--muted); } .details dd { margin: 0; }
@supports selector(:has(*)) {
.names .companion { display: none; }
${NAMES_SHOWN}
}
`
