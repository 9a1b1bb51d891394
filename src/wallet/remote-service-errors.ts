/** Apple or Google does not want to be asked for a while. */
export class RemoteServiceBusy extends Error {
  override readonly name = 'RemoteServiceBusy'
  readonly seconds: number

  constructor(message: string, seconds: number) {
    super(message)
    this.seconds = seconds
  }
}

/** Apple or Google said no, or nothing. */
export class RemoteServiceFailed extends Error {
  override readonly name = 'RemoteServiceFailed'
  /** Asking again will not change it. */
  readonly permanent: boolean

  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}

const LATER_LEAST_SECONDS = 1
const LATER_USUAL_SECONDS = 30
const LATER_MOST_SECONDS = 3_600

/** A Retry-After in seconds, within reason. */
export const readRetryAfter = (text: string | null | undefined): number => {
  const seconds = text && /^\d{1,9}$/.test(text.trim()) ? Number(text) : LATER_USUAL_SECONDS
  return Math.min(Math.max(seconds, LATER_LEAST_SECONDS), LATER_MOST_SECONDS)
}
