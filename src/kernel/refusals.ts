/**
 * Whatever Foyer says no with is a Refusal. It is thrown, so that the transaction it leaves is rolled back, and one
 * mapper (http/refuse.ts) turns it into an answer. The usual ones stand here; rooms have some of their own.
 */
export type ErrorMap = Record<string, string[]>

export abstract class Refusal extends Error {
  abstract readonly status: number
  readonly errors: ErrorMap

  constructor(errors: ErrorMap) {
    super(Object.values(errors)[0]?.[0] ?? 'Refused')
    this.errors = errors
  }
}

export class Unauthorized extends Refusal {
  readonly status = 401
  /** True when the credential is known and only its permission is missing. */
  readonly insufficient: boolean
  /** True when it is the token of a door device that was revoked, which the device is told. */
  readonly isRevokedDevice: boolean

  constructor(options: { insufficient?: boolean; isRevokedDevice?: boolean } = {}) {
    super({ base: [options.insufficient ? 'This credential may not do that' : 'Authentication required'] })
    this.insufficient = options.insufficient ?? false
    this.isRevokedDevice = options.isRevokedDevice ?? false
  }
}

export class NotFound extends Refusal {
  readonly status = 404

  /** By field where something in the body, and not the path, names what is missing. */
  constructor(errors: ErrorMap = {}) {
    super({ base: ['Not found'], ...errors })
  }
}

export class Forbidden extends Refusal {
  readonly status = 403

  constructor(message = 'You are not allowed to make this change') {
    super({ base: [message] })
  }
}

export class Conflict extends Refusal {
  readonly status = 409

  constructor(message: string) {
    super({ base: [message] })
  }
}

export class Invalid extends Refusal {
  readonly status = 422

  constructor(errors: ErrorMap | string) {
    super(typeof errors === 'string' ? { base: [errors] } : errors)
  }
}

export class TooManyRequests extends Refusal {
  readonly status = 429
  readonly retryAfterSeconds: number

  constructor(waitMs: number, message = 'Too many requests') {
    super({ base: [message] })
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  }
}

export function refuseUnless(condition: unknown, errors: ErrorMap | string): asserts condition {
  if (!condition) throw new Invalid(errors)
}

export const requireFound = <T>(thing: T | null | undefined): T => {
  if (thing === null || thing === undefined) throw new NotFound()
  return thing
}

/** What was thrown as a refusal, as a value: for those who judge several things, each for itself. */
export const refusalOr = <T>(judge: () => T): T | Refusal => {
  try {
    return judge()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
