import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/kit/global-setup.ts'],
    setupFiles: ['test/kit/matchers.ts'],
    pool: 'forks',
    // Tests wait for the database most of the time, so no core is kept free for vitest itself.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
