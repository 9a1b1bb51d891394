import { defineWords } from '../words.ts'

export const planWords = defineWords(
  {
    view: 'How the places are shown',
    drawn: 'Plan',
    listed: 'List',
    plan: (places: string, free: string, blocked: string, claimed: string) =>
      `Plan of ${places} ${places === '1' ? 'place' : 'places'}: ${free} free, ${blocked} blocked, ${claimed} taken. The list has them by name.`,
    stage: 'Stage',
    states: { free: 'free', blocked: 'blocked', claimed: 'taken' },
    wheelchair: 'wheelchair',
    companion: 'companion',
    picked: 'picked',
    row: (name: string) => `Row ${name}`,
    noRow: 'Without a row',
    rowSummary: (places: string, free: string) => `${places} ${places === '1' ? 'place' : 'places'}, ${free} free`,
    pickRow: (row: string) => `Pick all of ${row}`,
    places: (row: string) => `Places of ${row}`,
    smaller: 'Smaller',
    larger: 'Larger',
    legend: 'What the plan shows',
  },
  {
    view: 'Wie die Plätze gezeigt werden',
    drawn: 'Plan',
    listed: 'Liste',
    plan: (places, free, blocked, claimed) =>
      `Plan mit ${places} ${places === '1' ? 'Platz' : 'Plätzen'}: ${free} frei, ${blocked} gesperrt, ${claimed} vergeben. Die Liste nennt sie beim Namen.`,
    stage: 'Bühne',
    states: { free: 'frei', blocked: 'gesperrt', claimed: 'vergeben' },
    wheelchair: 'Rollstuhl',
    companion: 'Begleitung',
    picked: 'ausgewählt',
    row: (name) => `Reihe ${name}`,
    noRow: 'Ohne Reihe',
    rowSummary: (places, free) => `${places} ${places === '1' ? 'Platz' : 'Plätze'}, ${free} frei`,
    pickRow: (row) => `${row} ganz auswählen`,
    places: (row) => `Plätze von ${row}`,
    smaller: 'Kleiner',
    larger: 'Größer',
    legend: 'Was der Plan zeigt',
  },
)
