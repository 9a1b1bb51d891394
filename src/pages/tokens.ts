/** Text colours, each readable (4.5 to 1 at least) on every ground of its scheme. */
export const LIGHT_PALETTE = {
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

export type Palette = typeof LIGHT_PALETTE

export const DARK_PALETTE: Palette = {
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

export const cssPropertiesOf = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ')

/** The system's own type: nothing is loaded, and every script is known. */
export const FONT_FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', sans-serif"

/**
 * The same for the fronts, where a person may choose light or dark against what their system says. The attribute is the
 * one that their components set.
 */
export const TOKEN_STYLE = `
:root { color-scheme: light dark; --font: ${FONT_FAMILY}; ${cssPropertiesOf(LIGHT_PALETTE)} }
@media (prefers-color-scheme: dark) { :root { ${cssPropertiesOf(DARK_PALETTE)} } }
:root[data-mantine-color-scheme='light'] { color-scheme: light; ${cssPropertiesOf(LIGHT_PALETTE)} }
:root[data-mantine-color-scheme='dark'] { color-scheme: dark; ${cssPropertiesOf(DARK_PALETTE)} }
@media print { :root:root { ${cssPropertiesOf(LIGHT_PALETTE)} } }
`
