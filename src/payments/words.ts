import { defineWords } from '../languages/rules.ts'

export const TEST_PAYMENT_WORDS = defineWords(
  {
    title: 'Test payment',
    noMoney: 'No money is moved here: this page stands where a payment provider’s would.',
    pay: 'Pay',
    decline: 'Decline',
    isOver: 'This payment is over.',
    backToShop: 'Back to the shop',
  },
  {
    title: 'Testzahlung',
    noMoney: 'Hier fließt kein Geld: Diese Seite steht dort, wo sonst die eines Zahlungsanbieters wäre.',
    pay: 'Bezahlen',
    decline: 'Ablehnen',
    isOver: 'Diese Zahlung ist abgeschlossen.',
    backToShop: 'Zurück zum Shop',
  },
)
