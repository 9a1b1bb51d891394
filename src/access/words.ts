import { defineWords } from '../languages/rules.ts'

/** A role by its name and by what it may do, for the person who has it. */
export const ROLE_WORDS = defineWords(
  {
    names: {
      owner: 'owner',
      manager: 'manager',
      co_organizer: 'co-organizer',
      scanner: 'scanner',
      promoter: 'promoter',
    },
    sentences: {
      owner: 'Owners run the venue: every event, the team, the vouchers and all settings.',
      manager: 'Managers run every event, the task board, the vouchers and the team.',
      co_organizer: 'Co-organizers work on the events they are assigned to, and see nothing of the others.',
      scanner: 'Scanners let guests in at the door.',
      promoter: 'Promoters bring guests to the venue’s shows.',
    },
  },
  {
    names: {
      owner: 'Inhaber:in',
      manager: 'Manager:in',
      co_organizer: 'Mitveranstalter:in',
      scanner: 'Einlass',
      promoter: 'Promoter:in',
    },
    sentences: {
      owner: 'Inhaber:innen führen das Haus: alle Veranstaltungen, das Team, die Gutscheine und alle Einstellungen.',
      manager: 'Manager:innen betreuen alle Veranstaltungen, die Aufgaben, die Gutscheine und das Team.',
      co_organizer:
        'Mitveranstalter:innen arbeiten an den Veranstaltungen, die ihnen zugeteilt sind, und sehen die übrigen nicht.',
      scanner: 'Der Einlass lässt an der Tür die Gäste ein.',
      promoter: 'Promoter:innen bringen Gäste zu den Veranstaltungen des Hauses.',
    },
  },
)
