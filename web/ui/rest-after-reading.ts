/** Where more has changed while something long was read, most of the time belongs to whoever looks at the page. */
const REST_FACTOR = 4
/** A reading during which the machine slept was not long. */
const REST_MAX_MS = 15_000

/** How long to rest before reading anew. */
export const restAfterReading = (tookMs: number): number => Math.min(tookMs * REST_FACTOR, REST_MAX_MS)
