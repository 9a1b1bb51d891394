import {
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
  createTheme,
} from '@mantine/core'

/** The colours come from the server's page as custom properties, the same that the public pages use. */
const accent = Array.from({ length: 10 }, () => 'var(--accent)') as unknown as MantineColorsTuple

/** The greys of the library, from the paper of ours; in its order, which goes from light to dark. */
const greys = ['page', 'sunken', 'sunken', 'line', 'line', 'control', 'control', 'muted', 'text', 'text']
const darks = ['text', 'muted', 'muted', 'control', 'line', 'sunken', 'raised', 'page', 'page', 'page']
const tuple = (names: string[]) => names.map((name) => `var(--${name})`) as unknown as MantineColorsTuple

const mixed = (colour: string, share: number, ground = 'transparent') =>
  `color-mix(in srgb, ${colour} ${share}%, ${ground})`

const TONES: Record<string, string> = {
  accent: '--accent',
  good: '--good',
  warn: '--warn',
  bad: '--bad',
  gray: '--text',
}

/** Every variant from our own tokens: what the library computes leaves too little contrast in the dark. */
const variantColorResolver: VariantColorsResolver = ({ color, variant }) => {
  const tone = `var(${TONES[color ?? 'accent'] ?? '--accent'})`
  const bare = { border: '1px solid transparent' }
  switch (variant) {
    case 'filled':
      return {
        ...bare,
        background: tone,
        hover: mixed(tone, 88, 'var(--text)'),
        color: color === 'accent' || !color ? 'var(--on-accent)' : 'var(--page)',
      }
    case 'light':
      return { ...bare, background: mixed(tone, 10), hover: mixed(tone, 16), color: tone }
    case 'outline':
      return { background: 'transparent', hover: mixed(tone, 8), color: tone, border: '1px solid currentColor' }
    case 'default':
      return {
        background: 'var(--raised)',
        hover: 'var(--sunken)',
        color: 'var(--text)',
        border: '1px solid var(--control)',
      }
    default:
      return { ...bare, background: 'transparent', hover: mixed(tone, 9), color: tone }
  }
}

export const theme = createTheme({
  fontFamily: 'var(--font)',
  headings: { fontFamily: 'var(--font)', fontWeight: '700' },
  primaryColor: 'accent',
  colors: { accent, gray: tuple(greys), dark: tuple(darks) },
  variantColorResolver,
  defaultRadius: 'md',
  cursorType: 'pointer',
  // The head of a dialog is no banner of the page.
  components: { Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } } },
  respectReducedMotion: true,
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.375rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2.5rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '1rem' },
})

const ground = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--muted)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent)',
  '--mantine-primary-color-light': 'color-mix(in srgb, var(--accent) 10%, transparent)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: ground, dark: ground })
