import { availableParallelism } from 'node:os'
import { type TestProjectConfiguration, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/kit/sequencer.ts'
import { CLOCKED, FRESH } from './test/kit/suite.ts'

const CORES = availableParallelism()
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts']

interface Group {
  name: string
  include: string[]
  exclude?: string[]
  /** Whether each file has a process of its own. */
  isolate: boolean
  maxWorkers: number
  /** Groups of one turn run at the same time, the next ones after them. */
  turn: number
}

const groupOf = ({ turn, ...group }: Group): TestProjectConfiguration => ({
  test: {
    ...group,
    sequence: { groupOrder: turn },
    setupFiles: ['test/kit/file-times.ts', 'test/kit/matchers.ts', 'test/kit/tidy-up.ts'],
    pool: 'forks',
    // Whatever judges by the clock has a bound of its own; these only end what hangs, on a machine that is busy too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})

// Tests wait for the database, for processes and for timeouts much of the time: two more than there are cores.
const AT_ONCE = CORES + 2

export default defineConfig({
  test: {
    globalSetup: ['test/kit/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      groupOf({ name: 'fresh', include: FRESH, isolate: true, maxWorkers: AT_ONCE, turn: 0 }),
      groupOf({
        name: 'shared',
        include: ALL,
        exclude: [...FRESH, ...CLOCKED],
        isolate: false,
        maxWorkers: AT_ONCE,
        turn: 0,
      }),
      groupOf({ name: 'clocked', include: CLOCKED, isolate: false, maxWorkers: CORES, turn: 1 }),
    ],
  },
})
