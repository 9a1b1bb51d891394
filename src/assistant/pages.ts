/** A page of a list that its endpoint gives whole: a model reads what it asked for, and not a night's guest list. */
export const pageOf = <T>(things: readonly T[], page: number | undefined, most: number) => {
  const number = Math.max(1, page ?? 1)
  const end = number * most
  return { shown: things.slice(end - most, end), next_page: end < things.length ? number + 1 : null }
}

/** The same without what an assistant has no use for. */
export const omitKeys = <T extends object, K extends keyof T>(thing: T, ...keys: readonly K[]): Omit<T, K> => {
  const dropped = new Set<PropertyKey>(keys)
  return Object.fromEntries(Object.entries(thing).filter(([key]) => !dropped.has(key))) as Omit<T, K>
}

/** Whether any of the texts has the words in it, in any case. */
export const containsQuery = (query: string | undefined, texts: readonly string[]) => {
  const words = query?.trim().toLowerCase() ?? ''
  return words === '' || texts.some((text) => text.toLowerCase().includes(words))
}
