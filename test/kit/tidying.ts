type Work = () => Promise<void>

/**
 * What modules of the kit do after tests. A process runs many test files and imports a module of the kit once, whereas
 * hooks belong to the file during which they were made: so a module says here what is to be done, and tidy-up.ts, which
 * runs anew for every file, has it done.
 */
const works: Record<'test' | 'file', Work[]> = { test: [], file: [] }

export const afterEveryTest = (work: Work): void => void works.test.push(work)

/** After the last test of a file and its own hooks. */
export const afterEveryFile = (work: Work): void => void works.file.push(work)

/** Does all of it, also when some of it fails. */
export const tidyUpAfter = async (what: 'test' | 'file'): Promise<void> => {
  const errors: unknown[] = []
  for (const work of works[what]) await work().catch((error: unknown) => errors.push(error))
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('\n'))
  if (errors.length === 1) throw errors[0]
}
