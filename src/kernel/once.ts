/** Makes something when it is first asked for, and never again. */
export const once = <T extends string | object>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}
