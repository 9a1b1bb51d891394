const SLUG_MAX = 80

/** How the server is likely to write a title in an address; it decides itself, and knows more scripts. */
export const suggestSlug = (title: string): string =>
  title
    .replaceAll(/ß/g, 'ss')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, SLUG_MAX)
