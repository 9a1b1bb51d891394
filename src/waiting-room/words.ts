import { defineWords, plural } from '../languages/rules.ts'

/** What people read who stand in line. */
export const WAITING_ROOM_WORDS = defineWords(
  {
    title: 'You are in line',
    turnTitle: 'It is your turn',
    manyWant: (event: string) =>
      `Many people want tickets for ${event} right now. They are served one after the other.`,
    position: 'Your place in line',
    beforeDraw: 'The sale has not begun yet. Everybody who is here by then gets a place by lot, whoever came first.',
    keepOpen: (seconds: number) =>
      plural('en', seconds, {
        one: 'Keep this page open: it looks again by itself in a second.',
        other: `Keep this page open: it looks again by itself in ${seconds} seconds.`,
      }),
    lookAgain: 'Look again now',
    turnHint: 'Your turn is kept for three minutes.',
    continue: 'Continue',
  },
  {
    title: 'Sie stehen in der Schlange',
    turnTitle: 'Sie sind an der Reihe',
    manyWant: (event: string) => `Gerade möchten viele Menschen Tickets für ${event}. Sie werden nacheinander bedient.`,
    position: 'Ihr Platz in der Schlange',
    beforeDraw:
      'Der Verkauf hat noch nicht begonnen. Wer bis dahin hier ist, bekommt einen Platz durch das Los, gleich wer zuerst kam.',
    keepOpen: (seconds: number) =>
      plural('de', seconds, {
        one: 'Lassen Sie diese Seite offen: In einer Sekunde sieht sie von selbst wieder nach.',
        other: `Lassen Sie diese Seite offen: In ${seconds} Sekunden sieht sie von selbst wieder nach.`,
      }),
    lookAgain: 'Jetzt nachsehen',
    turnHint: 'Ihr Platz wird drei Minuten lang freigehalten.',
    continue: 'Weiter',
  },
)
