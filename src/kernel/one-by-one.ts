/** What is given to it is done one after the other: each begins when the one before has ended, well or not. */
export const oneByOne = (): (<T>(work: () => T | Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
