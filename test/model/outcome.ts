import type { Reply } from '../kit/venue/client.ts'
import type { Scene } from './scene.ts'

/** Something somebody does, with numbers that are turned into names by what there is at that moment. */
export interface Act {
  kind: string
  actor: number
  a: number
  b: number
  c: number
}

export interface Outcome {
  told: unknown
  /** What the model says that Foyer will say. */
  foretold: unknown
  isDone: boolean
  /** The answer in full, for whoever wonders why the two differ. */
  said?: string
  /** Who was let in by it, and the one scan that did it: a repetition is the same scan. */
  letIn?: { guest: string; scan: string }[]
  /** Makes the model follow. */
  apply?: () => void
}

export type Doing = (scene: Scene, act: Act) => Promise<Outcome | null>

export const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % (list.length || 1)]

/** An outcome that is told by the status alone. */
export const byStatus = (
  reply: Pick<Reply, 'status' | 'text' | 'body'>,
  foretold: number,
  // A model takes from an answer what it needs to go on: IDs.
  // oxlint-disable-next-line typescript/no-explicit-any
  apply?: (body: any) => void,
): Outcome => ({
  told: reply.status,
  said: reply.text.slice(0, 300),
  foretold,
  isDone: reply.status < 300,
  ...(apply && { apply: () => apply(reply.body) }),
})
