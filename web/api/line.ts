/** Whether the server was reached last. `navigator.onLine` proves nothing, so only answers count. */
class LineState {
  #isThere = true
  readonly #listeners = new Set<() => void>()

  get isThere() {
    return this.#isThere
  }

  readonly set = (isThere: boolean) => {
    if (isThere === this.#isThere) return
    this.#isThere = isThere
    for (const listener of this.#listeners) listener()
  }

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

export const connectionState = new LineState()
