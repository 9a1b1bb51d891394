import { defineWords } from '../../ui/language.ts'

export const words = defineWords(
  {
    title: 'Search',
    label: 'Name or code',
    hint: 'Two letters are enough.',
    none: 'Nobody by that name.',
    opening: 'The list is still being opened…',
    letIn: 'Let in',
    letOut: 'Out',
    isIn: (time: string) => `in since ${time}`,
    back: 'Back',
    more: 'There may be more: type more letters.',
  },
  {
    title: 'Suche',
    label: 'Name oder Code',
    hint: 'Zwei Buchstaben genügen.',
    none: 'Niemand mit diesem Namen.',
    opening: 'Die Liste wird noch geöffnet…',
    letIn: 'Einlassen',
    letOut: 'Raus',
    isIn: (time: string) => `drin seit ${time}`,
    back: 'Zurück',
    more: 'Vielleicht gibt es mehr: tippe mehr Buchstaben.',
  },
)
