import { FONT_FAMILY, LIGHT_PALETTE, DARK_PALETTE, cssPropertiesOf } from './tokens.ts'

/** What every public page shares: the programme, sign-ups, a guest's own page. */
export const BASE_STYLE = `
:root { color-scheme: light dark; ${cssPropertiesOf(LIGHT_PALETTE)} }
@media (prefers-color-scheme: dark) { :root { ${cssPropertiesOf(DARK_PALETTE)} } }

*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--page); color: var(--text);
  font: 1.0625rem/1.6 ${FONT_FAMILY};
  overflow-wrap: break-word; }
h1, h2, h3, h4 { margin: 0; line-height: 1.2; letter-spacing: -0.015em; text-wrap: balance; }
h1 { font-size: clamp(2rem, 1.4rem + 3vw, 3.25rem); font-weight: 750; letter-spacing: -0.03em; line-height: 1.08; }
h2 { font-size: 1.375rem; font-weight: 700; }
h3 { font-size: 1.125rem; font-weight: 650; }
p { margin: 0.75rem 0; }
ul, ol { margin: 0.75rem 0; padding-left: 1.4rem; }
img { display: block; max-width: 100%; height: auto; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
main:focus { outline: none; }
.muted { color: var(--muted); }
.small { font-size: 0.9375rem; }
.wallet { display: flex; flex-wrap: wrap; gap: 0.5rem; flex-basis: 100%; margin-top: 0.25rem; }
.plain { list-style: none; margin: 0; padding: 0; }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.skip { position: absolute; left: 1rem; top: -10rem; z-index: 2; padding: 0.75rem 1rem; background: var(--raised);
  border: 2px solid var(--accent); border-radius: 8px; }
.skip:focus { top: 1rem; }

.frame { width: 100%; max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
.top { border-bottom: 1px solid var(--line); background: var(--raised); }
.top .frame { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 3.75rem; }
.top a { color: inherit; text-decoration: none; padding: 0.5rem 0; }
.top a:hover { text-decoration: underline; }
.shop { font-weight: 750; letter-spacing: -0.01em; }
main.frame { flex: 1; padding-top: clamp(1.5rem, 5vw, 3.25rem); padding-bottom: 4.5rem; }
.foot { border-top: 1px solid var(--line); color: var(--muted); font-size: 0.9375rem; }
.foot .frame { padding-top: 1.5rem; padding-bottom: 2.5rem; }

.card { background: var(--raised); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem; }
.tag { display: inline-block; padding: 0.15rem 0.6rem; border: 1px solid currentColor; border-radius: 999px;
  font-size: 0.8125rem; font-weight: 650; line-height: 1.5; white-space: nowrap; }
.tag.good { color: var(--good); } .tag.warn { color: var(--warn); } .tag.bad { color: var(--bad); }
.tag.quiet { color: var(--muted); }

.notice { padding: 0.875rem 1.125rem; border: 1px solid var(--line); border-left: 4px solid var(--accent);
  border-radius: 8px; background: var(--raised); }
.notice.bad { border-left-color: var(--bad); } .notice.good { border-left-color: var(--good); }

.button, button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.875rem;
  padding: 0.5rem 1.25rem; border: 1px solid transparent; border-radius: 10px; background: var(--accent);
  color: var(--on-accent); font: inherit; font-weight: 650; text-decoration: none; cursor: pointer; }
.button:hover, button:hover { filter: brightness(1.08); }
.button.quiet, button.quiet { background: transparent; color: var(--accent); border-color: currentColor; }

.field { margin: 1.125rem 0; }
.field label, .field .label, legend { display: block; margin-bottom: 0.35rem; font-weight: 650; }
.field .hint { margin: 0 0 0.35rem; color: var(--muted); font-size: 0.9375rem; }
.field .error { margin: 0.35rem 0 0; color: var(--bad); font-weight: 600; }
fieldset { margin: 1.125rem 0; padding: 0; border: 0; min-width: 0; }
input:not([type='checkbox'], [type='radio']), select, textarea { width: 100%; min-height: 2.875rem;
  padding: 0.5rem 0.75rem; border: 1px solid var(--control); border-radius: 10px; background: var(--raised);
  color: inherit; font: inherit; }
textarea { min-height: 7rem; resize: vertical; }
[aria-invalid='true'] { border-color: var(--bad); border-width: 2px; }
input[type='checkbox'], input[type='radio'] { width: 1.25rem; height: 1.25rem; accent-color: var(--accent); }
.choice { display: flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; }
.field .choice label { margin: 0; font-weight: 400; }

@media (prefers-reduced-motion: no-preference) { .button, button { transition: filter 0.12s; } }
@media print { .top, .foot, .skip, .no-print { display: none; } :root { ${cssPropertiesOf(LIGHT_PALETTE)} } }
`
