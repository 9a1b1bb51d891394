/** Too many to be what anybody meant. */
const RUNS_MAX = 2_000

/**
 * Runs something once for every way its choices can fall. The same question gets the same answer within one run, so that
 * a text never has one half of one way and the other half of another.
 */
export class Choices {
  #trail: { key: string; index: number; count: number }[] = []
  #taken = 0
  #answers = new Map<string, number>()

  choose(key: string, count: number): number {
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const step = this.#trail[this.#taken] ?? { key, index: 0, count }
    this.#trail[this.#taken++] = step
    this.#answers.set(key, step.index)
    return step.index
  }

  static each<T>(run: (choices: Choices) => T): T[] {
    const choices = new Choices()
    const outcomes: T[] = []
    do {
      choices.#taken = 0
      choices.#answers.clear()
      outcomes.push(run(choices))
      if (outcomes.length > RUNS_MAX) throw new Error(`there are more than ${RUNS_MAX} ways to put it together`)
    } while (choices.#advance())
    return outcomes
  }

  #advance(): boolean {
    this.#trail.length = this.#taken
    for (let last = this.#trail.pop(); last; last = this.#trail.pop()) {
      if (last.index + 1 < last.count) {
        this.#trail.push({ ...last, index: last.index + 1 })
        return true
      }
    }
    return false
  }
}
