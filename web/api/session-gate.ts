/** Where requests wait whose session has ended, until the person has signed in again. */
export class SessionGate {
  #waiting: PromiseWithResolvers<void> | null = null
  readonly #listeners = new Set<() => void>()

  get isClosed(): boolean {
    return this.#waiting !== null
  }

  /** Resolves when the person is signed in again; rejects never: whoever gives up leaves the page. */
  wait(): Promise<void> {
    if (!this.#waiting) {
      this.#waiting = Promise.withResolvers()
      this.#tell()
    }
    return this.#waiting.promise
  }

  open(): void {
    this.#waiting?.resolve()
    this.#waiting = null
    this.#tell()
  }

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell() {
    for (const listener of this.#listeners) listener()
  }
}
