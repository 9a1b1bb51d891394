/** Every audit the house has, over all its accounts; for tests of every floor. */
export { auditHouse as auditAll } from '../../src/audit/audit-house.ts'
