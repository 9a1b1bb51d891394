import { defineWords } from '../words.ts'

export const sortableWords = defineWords(
  {
    handle: (name: string) => `Drag ${name}`,
    moveMenu: (name: string) => `Move ${name}`,
    up: 'Move up',
    down: 'Move down',
    to: (position: number) => `Move to ${position}`,
    taken: (name: string) => `${name} picked up.`,
    over: (name: string, other: string) => `${name} is at the place of ${other}.`,
    dropped: (name: string, position: number, count: number) => `${name} is at ${position} of ${count}.`,
    instructions: 'Space picks up, the arrows move, Space again puts down, Escape takes it back.',
  },
  {
    handle: (name) => `${name} ziehen`,
    moveMenu: (name) => `${name} verschieben`,
    up: 'Nach oben',
    down: 'Nach unten',
    to: (position) => `Auf Platz ${position}`,
    taken: (name) => `${name} angehoben.`,
    over: (name, other) => `${name} steht auf dem Platz von ${other}.`,
    dropped: (name, position, count) => `${name} steht auf ${position} von ${count}.`,
    instructions: 'Leertaste hebt an, Pfeile bewegen, Leertaste setzt ab, Escape nimmt es zurück.',
  },
)
