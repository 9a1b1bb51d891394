import type { Account } from '../../access/callers.ts'
import { showAmount } from '../../kernel/money.ts'
import type { Mail } from '../../mail/mailer.ts'
import { renderMail } from '../../mail/templates.ts'
import type { ClaimedDelivery } from './records.ts'
import { showDay } from '../../kernel/times.ts'
import { voucherPdf } from './voucher-pdf.ts'

/** The voucher as a letter, with the same as a sheet to print. */
export const voucherMail = async (account: Account, errand: ClaimedDelivery, code: string): Promise<Mail> => {
  const amount = `${showAmount(errand.issuedCents, account.currency)} ${account.currency}`
  const isGift = errand.audience === 'recipient'
  const title = isGift ? `A voucher for you from ${errand.customerName}` : `Your voucher for ${account.name}`
  const { text, html } = renderMail({
    title,
    preheader: `${amount} at ${account.name}`,
    paragraphs: [
      isGift
        ? `${errand.customerName} sends you a voucher for ${account.name}, worth ${amount}.`
        : `Here is your voucher for ${account.name}, worth ${amount}. Hand it on, or keep it.`,
      ...(errand.message ? [errand.message] : []),
      `Code: ${code}`,
      ...(errand.expiresAt ? [`Valid until ${showDay(errand.expiresAt, account.timeZone)}.`] : []),
      'Enter the code when you pay. What you do not spend stays on the voucher. Whoever knows the code can use it, so keep it to yourself.',
    ],
    footer: `${account.name} sends this because ${isGift ? `${errand.customerName} bought it for you` : 'you bought it'}.`,
  })
  return {
    to: { name: errand.recipientName, address: errand.recipientEmail },
    subject: title,
    text,
    html,
    attachments: [
      {
        filename: 'voucher.pdf',
        contentType: 'application/pdf',
        content: await voucherPdf({
          organizer: account.name,
          amount,
          code,
          productName: errand.productName,
          forName: isGift ? errand.recipientName : errand.purchasedForName,
          fromName: errand.customerName,
          message: errand.message,
          validUntil: errand.expiresAt && showDay(errand.expiresAt, account.timeZone),
        }),
      },
    ],
    messageId: `voucher-delivery-${errand.publicId}`,
  }
}
