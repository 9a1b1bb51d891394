import type { AccountScope } from '../../access/scopes.ts'
import { type VoucherFault, findVoucherFaults } from './records.ts'

/** Nothing to tell is the only good answer: every balance, reservation and total is what the ledger says. */
export const auditVouchers = (scope: AccountScope): Promise<VoucherFault[]> => findVoucherFaults(scope.rows)
