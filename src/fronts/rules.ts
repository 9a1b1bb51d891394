/** What stands in a built page where each answer puts its own nonce. */
export const NONCE_PLACEHOLDER = 'foyer-nonce-of-this-answer'

/** The fronts that are built, each at the address of its name. */
export const FRONTS = ['console', 'door'] as const
export type Front = (typeof FRONTS)[number]

/** The script of a front that works without its page. Its name stays, so that a browser finds the next one. */
export const SERVICE_WORKER = 'service-worker.js'

/** Codes are read by WebAssembly in a worker, which is held to the policy of its own file. */
export const DECODER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
