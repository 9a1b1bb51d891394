import { once } from '../kernel/once.ts'

/** The library for pictures: many modules and a large one of native code, so only where there is a picture. */
export const loadSharp = once(async () => {
  const { default: sharp } = await import('sharp')
  // One picture at a time uses one core; the others are for those who want something else.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
})
