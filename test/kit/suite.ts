/*
 * How the test files are run. A process runs one file after the other and imports the server once for all of them: what a
 * file leaves behind in modules, in the environment or in the clock would meet the next one, so none leaves anything.
 */

/** Files that want a process of their own, and why. */
export const FRESH = [
  // They put something in the place of modules, which others may have imported already.
  'test/browser/markup.test.ts',
  'test/races/tasks.test.ts',
  // It imports tests of others, which would be imported already, and has all accounts on a second server.
  'test/shards/rooms.test.ts',
  // They judge by the most memory that the process ever held.
  'src/rich-text/parse.test.ts',
  'src/tasks/hostile-markup.test.ts',
  'src/venue-file/export-venue.test.ts',
  'src/vouchers/imports/csv.test.ts',
  'test/fuzz/expensive.test.ts',
  // It has the compiler read the whole source, and would leave a gigabyte behind.
  'test/sql.test.ts',
]

/** Files that judge by the clock in milliseconds: they run last, and only as many at once as there are cores. */
export const CLOCKED = [
  'src/database/lost-connections.test.ts',
  'src/events/copy/copy.test.ts',
  'src/jobs/lanes/lanes.test.ts',
  'src/outgoing/circuit-breaker.test.ts',
  'src/outgoing/configured-service.test.ts',
  'src/tasks/live/live.test.ts',
  'src/venue-file/load-venue.test.ts',
  'src/wallet/phones.test.ts',
  'test/browser/console-many-guests.test.ts',
  'test/browser/console-many-tasks.test.ts',
  'test/browser/door-many.test.ts',
  'test/faults/door-beside.test.ts',
  'test/faults/door.test.ts',
  'test/faults/npm-start.test.ts',
  'test/faults/server-times.test.ts',
  'test/races/one-accounts-load.test.ts',
]

/** Files that take longest, most of them because they wait: they run first, while others have something to compute. */
export const LONG = [
  'test/browser/console-changes.test.ts',
  'test/browser/console.test.ts',
  'test/browser/door.test.ts',
  'test/faults/backup.test.ts',
  'test/faults/bench.test.ts',
  'test/faults/database-silent.test.ts',
  'test/faults/door-evening.test.ts',
  'test/faults/killed-worker.test.ts',
  'test/faults/payment-provider.test.ts',
  'test/faults/slow-clients.test.ts',
  'test/fuzz/operations.test.ts',
  'test/metrics.test.ts',
  'test/pasted.test.ts',
  'test/season/season.test.ts',
  'test/shards/move.test.ts',
  'test/shards/restore.test.ts',
  'test/shards/tls.test.ts',
  'test/sql.test.ts',
  'test/tracing.test.ts',
]
