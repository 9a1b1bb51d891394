import type { Account } from '../../access/callers.ts'
import { showAmountWithCode } from '../../kernel/money.ts'
import type { Mail } from '../../mail/mailer.ts'
import { renderMail } from '../../mail/templates.ts'
import type { ClaimedDelivery } from './records.ts'
import { showDay } from '../../kernel/times.ts'
import { voucherPdf } from './voucher-pdf.ts'
import { VOUCHER_MAIL_WORDS } from './words.ts'

/** The voucher as a letter, with the same as a sheet to print. */
export const voucherMail = async (account: Account, errand: ClaimedDelivery, code: string): Promise<Mail> => {
  const language = errand.language ?? account.language
  const words = VOUCHER_MAIL_WORDS[language]
  const amount = showAmountWithCode(errand.issuedCents, account.currency, language)
  const validUntil = errand.expiresAt && showDay(errand.expiresAt, account.timeZone, language)
  const isGift = errand.audience === 'recipient'
  const title = isGift ? words.giftTitle(errand.customerName) : words.ownTitle(account.name)
  const { text, html } = renderMail({
    language,
    title,
    preheader: words.preheader(amount, account.name),
    paragraphs: [
      isGift ? words.gift(errand.customerName, account.name, amount) : words.own(account.name, amount),
      ...(errand.message ? [errand.message] : []),
      words.code(code),
      ...(validUntil ? [words.validUntil(validUntil)] : []),
      words.howToUse,
    ],
    footer: isGift ? words.giftFooter(account.name, errand.customerName) : words.ownFooter(account.name),
  })
  return {
    to: { name: errand.recipientName, address: errand.recipientEmail },
    subject: title,
    text,
    html,
    attachments: [
      {
        filename: words.fileName,
        contentType: 'application/pdf',
        content: await voucherPdf({
          language,
          organizer: account.name,
          amount,
          code,
          productName: errand.productName,
          forName: isGift ? errand.recipientName : errand.purchasedForName,
          fromName: errand.customerName,
          message: errand.message,
          validUntil,
        }),
      },
    ],
    messageId: `voucher-delivery-${errand.publicId}`,
  }
}
