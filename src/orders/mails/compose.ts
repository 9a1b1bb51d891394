import type { Account } from '../../access/callers.ts'
import { languageOrFallback } from '../../languages/rules.ts'
import { showAmountWithCode } from '../../kernel/money.ts'
import { displayCode } from '../../kernel/public-ids.ts'
import { showDay } from '../../kernel/times.ts'
import type { CheckoutMail } from './queue-mail.ts'
import type { CheckoutForMail } from './records.ts'
import { ORDER_MAIL_WORDS } from './words.ts'

export interface ComposedOrderMail {
  subject: string
  paragraphs: string[]
  receiptNumber: number | null
}

/** What a mail says; null when it would not be true any more. */
export const composeOrderMail = (
  account: Account,
  sale: CheckoutForMail,
  mail: CheckoutMail,
): ComposedOrderMail | null => {
  const language = languageOrFallback(sale.language)
  const words = ORDER_MAIL_WORDS[language]
  const money = (cents: number) => showAmountWithCode(cents, account.currency, language)
  const amount = money(mail.amountCents ?? 0)
  switch (mail.kind) {
    case 'vouchers_sold': {
      const paragraphs = [words.vouchersSold.text(money(sale.saleCents ?? 0)), words.pageHint]
      return { subject: words.vouchersSold.subject(account.name), paragraphs, receiptNumber: sale.saleNumber }
    }
    case 'payment_instructions':
    case 'payment_reminder': {
      if (sale.orderStatus !== 'unpaid') return null
      const { subject, text } = mail.kind === 'payment_reminder' ? words.paymentReminder : words.paymentInstructions
      const paragraphs = [text(money(sale.dueCents)), ...howToPay(account, sale)]
      return { subject: subject(sale.title), paragraphs, receiptNumber: null }
    }
    case 'cancelled':
      return { subject: words.cancelled.subject(sale.title), paragraphs: [words.cancelled.text], receiptNumber: null }
    case 'refunded': {
      const receiptNumber = mail.receiptNumber ?? null
      const paragraphs = [words.refunded.text(amount), words.pageHint]
      return { subject: words.refunded.subject(sale.title), paragraphs, receiptNumber }
    }
    default: {
      const text = mail.kind === 'paid_back' ? words.paidBack.text : words.paidBack.surplus
      return { subject: words.paidBack.subject(sale.title), paragraphs: [text(amount)], receiptNumber: null }
    }
  }
}

const howToPay = (account: Account, sale: CheckoutForMail): string[] => {
  const language = languageOrFallback(sale.language)
  const { atTheDoor, reference, until } = ORDER_MAIL_WORDS[language].paymentInstructions
  return [
    ...(sale.method === 'at_the_door' ? [atTheDoor] : []),
    ...(sale.instructions ? [sale.instructions] : []),
    ...(sale.method === 'at_the_door' || sale.orderCode === null ? [] : [reference(displayCode(sale.orderCode))]),
    ...(sale.paymentDueAt ? [until(showDay(sale.paymentDueAt, account.timeZone, language))] : []),
    ORDER_MAIL_WORDS[language].pageHint,
  ]
}
