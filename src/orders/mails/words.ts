import { defineWords } from '../../languages/rules.ts'

export const ORDER_MAIL_WORDS = defineWords(
  {
    hello: (name: string) => (name ? `Hello ${name},` : 'Hello,'),
    yourOrder: 'Your order',
    openOrder: 'Open your order',
    pageHint: 'On the page of your order you find its state, your tickets and your receipts at any time.',
    footer: (organizer: string, code: string) => `${organizer} · Order ${code}`,
    vouchersSold: {
      subject: (organizer: string) => `Your purchase at ${organizer}`,
      text: (total: string) =>
        `Thank you. You have paid ${total}; the receipt is attached. The vouchers come by mail of their own.`,
    },
    paymentInstructions: {
      subject: (what: string) => `How to pay for ${what}`,
      text: (total: string) =>
        `Thank you for your order. What is left to pay: ${total}. Your tickets are valid once it is paid.`,
      atTheDoor: 'Pay at the door, before you come in.',
      reference: (code: string) => `Please name the order ${code}.`,
      until: (day: string) => `We keep your tickets for you until ${day}.`,
    },
    paymentReminder: {
      subject: (what: string) => `Your order for ${what} is not paid yet`,
      text: (total: string) =>
        `We have not seen your payment yet. What is left to pay: ${total}. If it is on its way, there is nothing to do.`,
    },
    cancelled: {
      subject: (what: string) => `Your order for ${what} was cancelled`,
      text: 'The order was not paid and has been cancelled. Its tickets are not valid any more, and nothing is to be paid. Whatever was paid of it, in money or with vouchers, goes back.',
    },
    refunded: {
      subject: (what: string) => `A refund for ${what}`,
      text: (amount: string) =>
        `We give ${amount} back to you: to your vouchers first, and the rest the way you paid. The receipt is attached.`,
    },
    paidBack: {
      subject: (what: string) => `Your payment for ${what} goes back`,
      text: (amount: string) =>
        `Your payment of ${amount} came when what you wanted was no longer there. We are sorry: the whole amount goes back to you by itself.`,
      surplus: (amount: string) =>
        `Your payment of ${amount} was not needed any more: what you wanted was paid otherwise, or had changed meanwhile. The whole amount goes back to you by itself.`,
    },
  },
  {
    hello: (name) => (name ? `Hallo ${name},` : 'Hallo,'),
    yourOrder: 'Ihre Bestellung',
    openOrder: 'Bestellung öffnen',
    pageHint: 'Auf der Seite Ihrer Bestellung finden Sie jederzeit ihren Stand, Ihre Tickets und Ihre Belege.',
    footer: (organizer, code) => `${organizer} · Bestellung ${code}`,
    vouchersSold: {
      subject: (organizer) => `Ihr Einkauf bei ${organizer}`,
      text: (total) =>
        `Vielen Dank. Sie haben ${total} bezahlt; der Beleg liegt bei. Die Gutscheine kommen mit eigener Post.`,
    },
    paymentInstructions: {
      subject: (what) => `So bezahlen Sie ${what}`,
      text: (total) =>
        `Vielen Dank für Ihre Bestellung. Noch zu bezahlen: ${total}. Ihre Tickets gelten, sobald sie bezahlt sind.`,
      atTheDoor: 'Bitte bezahlen Sie an der Abendkasse, bevor Sie hineingehen.',
      reference: (code) => `Bitte geben Sie die Bestellung ${code} an.`,
      until: (day) => `Wir halten Ihre Tickets bis ${day} für Sie bereit.`,
    },
    paymentReminder: {
      subject: (what) => `Ihre Bestellung für ${what} ist noch nicht bezahlt`,
      text: (total) =>
        `Wir haben Ihre Zahlung noch nicht gesehen. Noch zu bezahlen: ${total}. Ist sie unterwegs, müssen Sie nichts tun.`,
    },
    cancelled: {
      subject: (what) => `Ihre Bestellung für ${what} wurde storniert`,
      text: 'Die Bestellung wurde nicht bezahlt und ist storniert. Ihre Tickets gelten nicht mehr, und es ist nichts zu bezahlen. Was schon bezahlt war, mit Geld oder Gutscheinen, geht zurück.',
    },
    refunded: {
      subject: (what) => `Eine Erstattung für ${what}`,
      text: (amount) =>
        `Wir erstatten Ihnen ${amount}: zuerst auf Ihre Gutscheine, den Rest auf dem Weg, auf dem Sie bezahlt haben. Der Beleg liegt bei.`,
    },
    paidBack: {
      subject: (what) => `Ihre Zahlung für ${what} geht zurück`,
      text: (amount) =>
        `Ihre Zahlung von ${amount} kam an, als das Gewünschte nicht mehr da war. Das tut uns leid: Der ganze Betrag geht von selbst an Sie zurück.`,
      surplus: (amount) =>
        `Ihre Zahlung von ${amount} wurde nicht mehr gebraucht: Das Gewünschte war schon anders bezahlt oder hatte sich inzwischen geändert. Der ganze Betrag geht von selbst an Sie zurück.`,
    },
  },
)
