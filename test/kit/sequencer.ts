import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG } from './suite.ts'

/** The files that take longest come first, so that none of them is left to run alone in the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array's
    const sorted = await super.sort(files)
    // A process goes on only while the next file is of its own group.
    return [...Map.groupBy(sorted, ({ project }) => project).values()].flatMap((group) =>
      group.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a))),
    )
  }
}

const isLong = ({ moduleId }: TestSpecification) => LONG.some((file) => moduleId.endsWith(`/${file}`))
