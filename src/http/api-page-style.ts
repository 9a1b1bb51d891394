/** Text colours, each readable (4.5 to 1) on every ground of its scheme. */
export const PALETTES = {
  light: {
    grounds: { page: '#ffffff', raised: '#f5f4f1', sunken: '#ecebe6' },
    texts: {
      text: '#1c1b19',
      muted: '#57544d',
      link: '#8a2432',
      get: '#0b5a86',
      post: '#1f6135',
      patch: '#7a4a00',
      put: '#6a3a8c',
      delete: '#a32020',
    },
    line: '#d8d5cd',
  },
  dark: {
    grounds: { page: '#161513', raised: '#211f1c', sunken: '#2b2925' },
    texts: {
      text: '#f1efea',
      muted: '#b5b0a5',
      link: '#f3a0a8',
      get: '#86c5ee',
      post: '#8fd3a3',
      patch: '#e9bd74',
      put: '#cfaaee',
      delete: '#f5a09a',
    },
    line: '#403d37',
  },
} as const

type Palette = (typeof PALETTES)['light' | 'dark']

const properties = ({ grounds, texts, line }: Palette) =>
  Object.entries({ ...grounds, ...texts, line })
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ')

export const STYLE = `
:root { color-scheme: light dark; ${properties(PALETTES.light)}
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'Segoe UI Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
@media (prefers-color-scheme: dark) { :root { ${properties(PALETTES.dark)} } }

*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
h1 { font-size: 2.25rem; letter-spacing: -0.02em; }
h2 { font-size: 1.625rem; letter-spacing: -0.01em; }
h3 { font-size: 1.125rem; }
h4 { font-size: 0.9375rem; margin: 1.5rem 0 0.5rem; }
p { margin: 0.5rem 0; max-width: 70ch; }
ul { margin: 0; padding: 0; list-style: none; }
a { color: var(--link); text-underline-offset: 0.15em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
code { overflow-wrap: anywhere; }
p code, td code { background: var(--sunken); padding: 0.1em 0.3em; border-radius: 4px; }
.muted { color: var(--muted); }

.skip { position: absolute; left: 1rem; top: -10rem; z-index: 1; padding: 0.75rem 1rem; background: var(--page);
  border: 2px solid var(--link); border-radius: 6px; }
.skip:focus { top: 1rem; }

header, main, footer { padding: 0 1.25rem; }
header { padding-top: 2rem; }
header .muted { margin: 0.25rem 0 1rem; }
nav { padding: 1rem 1.25rem; }
nav h2 { font-size: 0.875rem; letter-spacing: 0; color: var(--muted); margin-bottom: 0.5rem; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
.tags { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.tags > li > a { display: block; padding: 0.5rem 0.875rem; background: var(--raised); border: 1px solid var(--line);
  border-radius: 999px; }
.tags ul { display: none; }
footer { padding-top: 2rem; padding-bottom: 3rem; color: var(--muted); }

section { margin-top: 3rem; }
[id] { scroll-margin-top: 1rem; }
article { margin-top: 1.5rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: 10px; }
article:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
article h3 { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; overflow-wrap: anywhere; }
article h3 + .scroll { margin-top: 0.75rem; }
article h3 a { color: inherit; text-decoration: none; min-width: 0; }
article h3 a:hover { text-decoration: underline; }
article h3 code { font-size: 1em; }
.method { flex: none; font: 700 0.75rem/1 var(--mono); letter-spacing: 0.04em; padding: 0.35rem 0.5rem;
  border: 1px solid currentColor; border-radius: 5px; background: var(--raised); }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); }
.put { color: var(--put); } .delete { color: var(--delete); }

.overview { margin-top: 0.75rem; border-top: 1px solid var(--line); }
.overview li { border-bottom: 1px solid var(--line); }
.overview a { display: grid; grid-template-columns: 4.75rem minmax(0, 1fr); gap: 0 0.75rem; align-items: center;
  padding: 0.5rem 0; color: inherit; text-decoration: none; }
.overview a:hover code { text-decoration: underline; }
.overview .method { justify-self: start; }
.overview .muted { grid-column: 2; font-size: 0.875rem; }

.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { width: 100%; min-width: 38rem; border-collapse: collapse; font-size: 0.875rem; text-align: left; }
th, td { padding: 0.5rem 0.75rem; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; background: var(--raised); color: var(--muted); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; }
tbody th .muted { font-weight: 400; }
.variant th { background: var(--raised); font-weight: 400; }
.first { width: 32%; } .second { width: 20%; } .third { width: 6.5rem; }
.must { font-weight: 600; }

.answer { margin-top: 0.75rem; }
.status { font: 700 0.875rem var(--mono); margin-right: 0.25rem; }
.answer p { margin: 0.25rem 0 0.5rem; }
pre { margin: 0.5rem 0; padding: 0.875rem 1rem; background: var(--raised); border: 1px solid var(--line);
  border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; tab-size: 2; }
.paste code { -webkit-user-select: all; user-select: all; }
details { margin-top: 0.5rem; }
summary { cursor: pointer; padding: 0.25rem 0; color: var(--link); font-size: 0.875rem; }

@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 19rem minmax(0, 1fr); grid-template-rows: auto 1fr auto; }
  nav { grid-row: 1 / -1; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.25rem;
    background: var(--raised); border-right: 1px solid var(--line); font-size: 0.875rem; }
  .tags { display: block; }
  .tags > li { margin-top: 1rem; }
  .tags > li > a { padding: 0.125rem 0; border: 0; border-radius: 0; background: none; font-weight: 600;
    color: var(--text); }
  .tags ul { display: block; }
  .tags ul a { display: block; padding: 0.25rem 0; color: var(--muted); overflow-wrap: anywhere; }
  .tags ul a:hover { color: var(--text); }
  header, main, footer { grid-column: 2; padding-left: 3rem; padding-right: 3rem; max-width: 66rem; }
  article { padding: 1.5rem 1.75rem; }
}

@media print {
  :root { ${properties(PALETTES.light)} }
  body { display: block; font-size: 10pt; }
  nav, .skip { display: none; }
  header, main, footer { padding-left: 0; padding-right: 0; max-width: none; }
  article { border-width: 1px 0 0; border-radius: 0; padding: 1rem 0; }
  h2, h3, h4, thead { break-after: avoid; }
  tr, pre { break-inside: avoid; }
  .scroll { overflow: visible; }
  table { min-width: 0; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
  a { color: inherit; }
}
`
