import { defineWords } from '../../ui/words.ts'

export const monthWords = defineWords(
  {
    title: 'Vouchers by month',
    intro: (city: string) =>
      `What stands on all vouchers, from the ledger, to the cent. Months begin at midnight in ${city}.`,
    earlier: 'Month before',
    later: 'Month after',
    save: 'Save as CSV',
    print: 'Print',
    month: 'Month',
    lines: {
      opening: 'At the beginning',
      issued: 'Issued',
      spent: 'Spent',
      returned: 'Returned by refunds',
      taken_back: 'Taken back, purchase refunded',
      expired: 'Expired',
      credited: 'Credited by hand',
      debited: 'Debited by hand',
      closing: 'At the end',
    },
    notOver: 'This month is not over yet.',
    addsUp: 'Adds up.',
    doesNotAddUp: 'This does not add up. Tell whoever runs Foyer for you.',
    plot: (from: string, to: string) =>
      `What was issued, spent and left, ${from} to ${to}; the table below says the same`,
    table: 'Month by month',
    expiredHint: 'Credit that ran out counts from the day on which it was written off, within a day of its end.',
  },
  {
    title: 'Gutscheine nach Monaten',
    intro: (city) =>
      `Was auf allen Gutscheinen steht, aus dem Buch, auf den Cent. Monate beginnen um Mitternacht in ${city}.`,
    earlier: 'Monat davor',
    later: 'Monat danach',
    save: 'Als CSV speichern',
    print: 'Drucken',
    month: 'Monat',
    lines: {
      opening: 'Am Anfang',
      issued: 'Ausgestellt',
      spent: 'Eingelöst',
      returned: 'Durch Erstattung zurück',
      taken_back: 'Zurückgenommen, Kauf erstattet',
      expired: 'Verfallen',
      credited: 'Von Hand gutgeschrieben',
      debited: 'Von Hand abgezogen',
      closing: 'Am Ende',
    },
    notOver: 'Dieser Monat ist noch nicht vorbei.',
    addsUp: 'Geht auf.',
    doesNotAddUp: 'Das geht nicht auf. Sag denen Bescheid, die Foyer betreiben.',
    plot: (from, to) =>
      `Was ausgestellt, eingelöst und übrig war, ${from} bis ${to}; die Tabelle darunter sagt dasselbe`,
    table: 'Monat für Monat',
    expiredHint:
      'Was verfallen ist, zählt ab dem Tag, an dem es ausgebucht wurde, höchstens einen Tag nach seinem Ende.',
  },
)
