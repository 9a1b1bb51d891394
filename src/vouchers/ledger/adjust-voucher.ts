import type { CallerScope } from '../../access/scopes.ts'
import { showAmount } from '../../kernel/money.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { Invalid, requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { atMostMessage } from '../../kernel/messages.ts'
import { BALANCE_MAX_CENTS, availableCents, hasExpired, parsePositiveAmount } from '../rules.ts'
import { publishVoucherAmountWebhook } from './announce.ts'
import { findVoucher, insertEntry, lockVoucher } from './records.ts'
import { type Voucher, moreThanAvailableMessage } from './rules.ts'
import type { AdjustmentBody } from './wire.ts'

export type Adjustment = ReturnType<(typeof AdjustmentBody)['read']>

/** Corrects a balance by hand. What pending checkouts have reserved cannot be taken away. */
export const adjustVoucher = (account: CallerScope, publicId: string, adjustment: Adjustment): Promise<Voucher> =>
  account.transaction(async (tx) => {
    const { currency } = account.account
    const voucher = requireFound(await lockVoucher(tx, { publicId }))
    const amount = parsePositiveAmount(adjustment.amount, currency)
    if (amount.fault !== null) throw new Invalid({ amount: [amount.fault] })
    refuseUnless(!hasExpired(voucher), 'This voucher has expired')

    const isCredit = adjustment.direction === 'credit'
    const room = isCredit ? BALANCE_MAX_CENTS - voucher.balanceCents : availableCents(voucher)
    if (amount.cents > room) {
      const fault = isCredit ? atMostMessage(showAmount(room, currency)) : moreThanAvailableMessage(room, currency)
      throw new Invalid({ amount: [fault] })
    }

    const amountCents = isCredit ? amount.cents : -amount.cents
    await insertEntry(tx, voucher, {
      publicId: newPublicId(),
      kind: isCredit ? 'adjustment_credit' : 'adjustment_debit',
      amountCents,
      actor: account.actor.name,
      reason: adjustment.reason,
    })
    const adjusted = requireFound(await findVoucher(tx, publicId))
    await publishVoucherAmountWebhook(tx, account.account, 'voucher.adjusted', adjusted, amountCents)
    return adjusted
  })
