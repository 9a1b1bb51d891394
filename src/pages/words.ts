import { defineWords } from '../languages/rules.ts'

export const PAGE_WORDS = defineWords(
  {
    skip: 'Skip to the content',
    shop: 'Shop',
    programme: 'Programme',
    runsOnFoyer: 'runs on Foyer',
    consoleFooter: 'Foyer, the front of house',
  },
  {
    skip: 'Zum Inhalt springen',
    shop: 'Shop',
    programme: 'Programm',
    runsOnFoyer: 'läuft mit Foyer',
    consoleFooter: 'Foyer, das Vorderhaus',
  },
)
