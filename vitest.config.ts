import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // A season takes minutes and breaks everything around it: `npm run test:long -- --only season` plays it.
    exclude: process.env['FOYER_LONG'] ? [] : ['test/season/**'],
    globalSetup: ['test/kit/global-setup.ts'],
    setupFiles: ['test/kit/matchers.ts'],
    pool: 'forks',
    // Tests wait for the database, for processes and for timeouts most of the time: one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // Whatever judges by the clock has a bound of its own; these only end what hangs, on a machine that is busy too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
