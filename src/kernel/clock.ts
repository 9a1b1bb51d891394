/**
 * The server's own clock, for what never reaches the database (rate limits, signed links).
 * What is stored or compared in SQL asks foyer_now(), so that all processes on one database agree.
 */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
