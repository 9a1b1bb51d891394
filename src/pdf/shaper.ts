import type * as harfBuzz from 'harfbuzzjs'

export type HarfBuzz = typeof harfBuzz

/** Loaded with the first text that is set, not when Foyer starts. */
export const loadShaper = (): Promise<HarfBuzz> => import('harfbuzzjs')
