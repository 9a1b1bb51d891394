import { defineWords } from '../languages/rules.ts'

export const FRONT_WORDS = defineWords(
  {
    notBuilt: 'The console is not built',
    doorNotBuilt: 'The door app is not built',
    buildItWith: 'Whoever runs this installation can build it:',
    thenStart: 'then start Foyer again.',
    yourAccount: 'Your account',
  },
  {
    notBuilt: 'Die Konsole ist nicht gebaut',
    doorNotBuilt: 'Die Einlass-App ist nicht gebaut',
    buildItWith: 'Wer diese Installation betreibt, kann sie bauen:',
    thenStart: 'danach Foyer neu starten.',
    yourAccount: 'Eigenes Konto',
  },
)
