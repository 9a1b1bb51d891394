/** Text colours, each readable (4.5 to 1 at least) on every ground of its scheme. */
export const LIGHT = {
  page: '#fbfaf7',
  raised: '#ffffff',
  sunken: '#f1eee7',
  text: '#1d1b18',
  muted: '#5c574d',
  accent: '#8a2432',
  'on-accent': '#ffffff',
  good: '#1f6135',
  warn: '#7a4a00',
  bad: '#a32020',
  line: '#dcd7cc',
  control: '#857f73',
}

export type Palette = typeof LIGHT

export const DARK: Palette = {
  page: '#141311',
  raised: '#1e1c19',
  sunken: '#282521',
  text: '#f2efe9',
  muted: '#b8b2a6',
  accent: '#f3a0a8',
  'on-accent': '#2a0a0f',
  good: '#8fd3a3',
  warn: '#e9bd74',
  bad: '#f5a09a',
  line: '#3a362f',
  control: '#8d8679',
}

export const properties = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ')

/** The system's own type: nothing is loaded, and every script is known. */
export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', sans-serif"

/**
 * The same for the fronts, where a person may choose light or dark against what their system says. The attribute is the
 * one that their components set.
 */
export const TOKEN_STYLE = `
:root { color-scheme: light dark; --font: ${FONT}; ${properties(LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${properties(DARK)} } }
:root[data-mantine-color-scheme='light'] { color-scheme: light; ${properties(LIGHT)} }
:root[data-mantine-color-scheme='dark'] { color-scheme: dark; ${properties(DARK)} }
@media print { :root:root { ${properties(LIGHT)} } }
`
