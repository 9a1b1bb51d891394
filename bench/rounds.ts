import type { Figure } from './frame.ts'

export interface MedianFigure extends Figure {
  /** The least and the most of what is judged (the ratio where there is one), if there was more than one round. */
  spread?: [number, number]
}

/** What is compared with the target. */
const judgedOf = ({ ratio, figure }: Figure): number => ratio ?? figure

/**
 * Of each figure the round in the middle, as it was measured, so that a figure and its baseline always come from the
 * same moment. A bench tells its figures in the same order in each round.
 */
export const medianOfRounds = (rounds: readonly Figure[][]): MedianFigure[] =>
  rounds[0]!.map((_, n) => {
    const measured = rounds.map((round) => round[n]!).toSorted((a, b) => judgedOf(a) - judgedOf(b))
    const middle = measured[Math.floor((measured.length - 1) / 2)]!
    return measured.length > 1 ? { ...middle, spread: [judgedOf(measured[0]!), judgedOf(measured.at(-1)!)] } : middle
  })
