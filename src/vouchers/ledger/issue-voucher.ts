import type { CallerScope } from '../../access/scopes.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { Invalid, requireFound } from '../../kernel/refusals.ts'
import { newVoucherCode, sealCode } from '../codes.ts'
import { findProduct } from '../products/records.ts'
import { publishVoucherWebhook } from './announce.ts'
import { findVoucher, insertVouchers, readDatabaseTime } from './records.ts'
import { type Voucher, validateIssue } from './rules.ts'
import type { IssueBody } from './wire.ts'

export type IssueInput = ReturnType<(typeof IssueBody)['read']>

/** Issues a voucher by hand. Its code is known to this answer alone. */
export const issueVoucher = (account: CallerScope, input: IssueInput): Promise<{ voucher: Voucher; code: string }> =>
  account.transaction(async (tx) => {
    const product =
      input.voucher_product_id === null ? null : requireFound(await findProduct(tx, input.voucher_product_id))
    const { currency, timeZone } = account.account
    const judged = validateIssue(input, product, { currency, timeZone, now: await readDatabaseTime(tx) })
    const faults = { ...(input.code !== null && { code: [NO_CUSTOM_CODE] }), ...judged.faults }
    if (judged.faults !== null || input.code !== null) throw new Invalid(faults)

    const code = newVoucherCode()
    const sealed = sealCode(account.app.secrets, tx.accountId, code)
    const publicId = newPublicId()
    await insertVouchers(tx, [
      {
        publicId,
        entryPublicId: newPublicId(),
        codeDigest: sealed.digest,
        codeSealed: sealed.sealed,
        codeSuffix: sealed.suffix,
        productId: product?.id ?? null,
        productName: product?.name ?? null,
        source: 'manual',
        amountCents: judged.value.amountCents,
        paidCents: judged.value.paidCents,
        expiresAt: judged.value.expiresAt,
        actor: account.actor.name,
        note: input.note,
      },
    ])
    const voucher = requireFound(await findVoucher(tx, publicId))
    await publishVoucherWebhook(tx, account.account, 'voucher.issued', voucher)
    return { voucher, code }
  })

const NO_CUSTOM_CODE = 'is not accepted: codes are drawn by chance'
