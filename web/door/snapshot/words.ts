import { defineWords } from '../../ui/language.ts'

export const words = defineWords(
  {
    title: 'Which door?',
    hint: 'Touch an event to stand at it. Several at once are possible.',
    only: 'Only this',
    also: 'Also this',
    notThis: 'Not this',
    back: 'Back',
    none: 'There is no event to scan. Connect the phone once, so that it can be told.',
    isChosen: 'you stand here',
  },
  {
    title: 'Welche Tür?',
    hint: 'Tippe auf eine Veranstaltung. Mehrere zugleich sind möglich.',
    only: 'Nur diese',
    also: 'Auch diese',
    notThis: 'Diese nicht',
    back: 'Zurück',
    none: 'Keine Veranstaltung zum Scannen. Verbinde das Gerät einmal, damit es davon erfährt.',
    isChosen: 'hier stehst du',
  },
)
