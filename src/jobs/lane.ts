/** Jobs that wait for somebody else, or take long: each kind has a lane of its own, so that none waits for another. */
export type Lane = 'mail' | 'webhooks' | 'push' | 'imports' | 'payments' | 'wallet'

export interface LaneLimits {
  /** How many jobs of the lane a process runs at once. */
  atOnce: number
  /** How many of them may be one account's. */
  perAccount: number
  /**
   * An account that has had all it may gets more once so few of them are left, several at once: they are claimed by one
   * statement, and what they read is read together. Without it each that ends makes room for the next.
   */
  refillAt?: number
}

/**
 * Whoever waits for an answer costs a socket and no more, so there are many of those. A call lasts ten seconds at most:
 * a hundred accounts whose every address is slow fill a lane, and the next account's turn still comes within seconds.
 * Mails are drawn by one thread and leave over three connections, which four of an account keep busy; the dozen that
 * comes next is claimed and read together.
 */
export const LANES: Record<Lane, LaneLimits> = {
  mail: { atOnce: 32, perAccount: 16, refillAt: 4 },
  webhooks: { atOnce: 400, perAccount: 4 },
  push: { atOnce: 400, perAccount: 4 },
  imports: { atOnce: 2, perAccount: 1 },
  payments: { atOnce: 100, perAccount: 8 },
  wallet: { atOnce: 100, perAccount: 8 },
}

/** A job that runs in a lane, for whoever enqueues it without knowing the room where it is worked off. */
export interface LaneJob<Payload> {
  name: string
  lane: Lane
  /** Jobs of one account with the same key never run at once, in whichever process. */
  serialKey?: (payload: Payload) => string
}

/** Whose turn it is: the account that the payload names, or 0 for what belongs to none. */
export const accountIdOfPayload = (payload: object): number => {
  const { accountId, account_id: sameInRows } = payload as { accountId?: number; account_id?: number }
  return accountId ?? sameInRows ?? 0
}

/** Announced whenever a job has been added that may run at once; the payload is its lane. */
export const LANES_CHANNEL = 'foyer_lanes'
