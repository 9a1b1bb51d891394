import { accountRows } from '../../src/access/house-work.ts'
import type { House } from '../../src/access/house.ts'
import { auditHouse } from '../../src/inventory/audit.ts'
import { compareQuotas } from '../../src/signup/requests/records.ts'
import { findVoucherFaults } from '../../src/vouchers/audit/records.ts'

/** Every audit the house has, over all its accounts; nothing is the only good answer. */
export const auditAll = async (house: House): Promise<unknown[]> => {
  const { rows } = await house.database.pool.query<{ id: number }>('select id from accounts order by id')
  const perAccount: unknown[] = []
  for (const { id } of rows) {
    const account = accountRows(house, id)
    perAccount.push(...(await compareQuotas(account)), ...(await findVoucherFaults(account)))
  }
  return [...(await auditHouse(house.database)), ...perAccount]
}
