/** What stands in a built page where each answer puts its own nonce. */
export const NONCE_PLACEHOLDER = 'foyer-nonce-of-this-answer'

/** The fronts that are built, each at the address of its name. */
export const FRONTS = ['console'] as const
