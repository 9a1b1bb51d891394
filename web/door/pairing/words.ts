import { defineWords } from '../../ui/language.ts'

export const words = defineWords(
  {
    title: 'Door',
    intro: 'This phone is not paired yet. Scan the code that the office shows under “Devices”, or open its link.',
    code: 'Pairing code',
    pair: 'Pair',
    pairing: 'Pairing…',
    used_up: 'This code has been used or is older than 15 minutes. Ask the office for a new one.',
    no_answer: 'Foyer cannot be reached. Pairing needs a line; afterwards the door works without.',
    notACode: 'That is no pairing code.',
    ios: 'On an iPhone: first Share, then “Add to Home Screen”, and pair in the app that appears there. Only that one keeps its data.',
  },
  {
    title: 'Einlass',
    intro:
      'Dieses Gerät ist noch nicht gekoppelt. Scanne den Code, den das Büro unter „Geräte“ zeigt, oder öffne seinen Link.',
    code: 'Kopplungscode',
    pair: 'Koppeln',
    pairing: 'Wird gekoppelt…',
    used_up: 'Dieser Code ist verbraucht oder älter als 15 Minuten. Lass dir einen neuen geben.',
    no_answer: 'Foyer ist nicht zu erreichen. Das Koppeln braucht Netz; danach geht der Einlass ohne.',
    notACode: 'Das ist kein Kopplungscode.',
    ios: 'Auf dem iPhone: erst Teilen, dann „Zum Home-Bildschirm“, und in der App koppeln, die dort erscheint. Nur sie behält ihre Daten.',
  },
)
