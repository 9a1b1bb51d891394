import { defineWords } from '../languages/rules.ts'

/** What stands in an inbox and in a push message, in the language of the account. */
export const NOTIFICATION_WORDS = defineWords(
  {
    taskAssigned: (actor: string, task: string) => `${actor} gave you “${task}”`,
    signupPending: (guest: string, event: string) => `${guest} would like to join the guest list of ${event}`,
    additionPending: (guest: string, companions: number, event: string) =>
      `${guest} would like to bring ${companions === 1 ? 'one more guest' : `${companions} more guests`} to ${event}`,
  },
  {
    taskAssigned: (actor, task) => `${actor} hat dir „${task}“ gegeben`,
    signupPending: (guest, event) => `${guest} möchte auf die Gästeliste von ${event}`,
    additionPending: (guest, companions, event) =>
      `${guest} möchte ${companions === 1 ? 'einen weiteren Gast' : `${companions} weitere Gäste`} zu ${event} mitbringen`,
  },
)
