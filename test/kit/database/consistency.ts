/** Every audit Foyer has, over all its accounts; for tests of every floor. */
export { checkConsistency as checkAll } from '../../../src/consistency/check-consistency.ts'
