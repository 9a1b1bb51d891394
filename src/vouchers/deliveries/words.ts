import { defineWords } from '../../languages/rules.ts'

export const VOUCHER_MAIL_WORDS = defineWords(
  {
    giftTitle: (giver: string) => `A voucher for you from ${giver}`,
    ownTitle: (house: string) => `Your voucher for ${house}`,
    preheader: (amount: string, house: string) => `${amount} at ${house}`,
    gift: (giver: string, house: string, amount: string) =>
      `${giver} sends you a voucher for ${house}, worth ${amount}.`,
    own: (house: string, amount: string) =>
      `Here is your voucher for ${house}, worth ${amount}. Hand it on, or keep it.`,
    code: (code: string) => `Code: ${code}`,
    validUntil: (day: string) => `Valid until ${day}.`,
    howToUse:
      'Enter the code when you pay. What you do not spend stays on the voucher. Whoever knows the code can use it, so keep it to yourself.',
    giftFooter: (house: string, giver: string) => `${house} sends this because ${giver} bought it for you.`,
    ownFooter: (house: string) => `${house} sends this because you bought it.`,
    fileName: 'voucher.pdf',
  },
  {
    giftTitle: (giver) => `Ein Gutschein für Sie von ${giver}`,
    ownTitle: (house) => `Ihr Gutschein für ${house}`,
    preheader: (amount, house) => `${amount} bei ${house}`,
    gift: (giver, house, amount) => `${giver} schenkt Ihnen einen Gutschein für ${house} über ${amount}.`,
    own: (house, amount) =>
      `Hier ist Ihr Gutschein für ${house} über ${amount}. Verschenken Sie ihn oder behalten Sie ihn.`,
    code: (code) => `Code: ${code}`,
    validUntil: (day) => `Gültig bis ${day}.`,
    howToUse:
      'Geben Sie den Code beim Bezahlen ein. Was Sie nicht ausgeben, bleibt auf dem Gutschein. Wer den Code kennt, kann ihn einlösen; bitte geben Sie ihn nicht weiter.',
    giftFooter: (house, giver) => `${house} sendet Ihnen das, weil ${giver} es für Sie gekauft hat.`,
    ownFooter: (house) => `${house} sendet Ihnen das, weil Sie es gekauft haben.`,
    fileName: 'gutschein.pdf',
  },
)

export const VOUCHER_PAPER_WORDS = defineWords(
  {
    title: (house: string) => `Voucher for ${house}`,
    voucher: 'Voucher',
    forAndFrom: (recipient: string, giver: string) => `For ${recipient}, from ${giver}`,
    from: (giver: string) => `From ${giver}`,
    code: 'Code',
    validUntil: (day: string) => `Valid until ${day}`,
    howToUse:
      'Enter the code when you pay; what you do not spend stays on the voucher. Whoever has the code can use it.',
    qrCode: (code: string) => `QR code of the code ${code}`,
  },
  {
    title: (house) => `Gutschein für ${house}`,
    voucher: 'Gutschein',
    forAndFrom: (recipient, giver) => `Für ${recipient}, von ${giver}`,
    from: (giver) => `Von ${giver}`,
    code: 'Code',
    validUntil: (day) => `Gültig bis ${day}`,
    howToUse:
      'Geben Sie den Code beim Bezahlen ein; was Sie nicht ausgeben, bleibt auf dem Gutschein. Wer den Code hat, kann ihn einlösen.',
    qrCode: (code) => `QR-Code des Codes ${code}`,
  },
)
