import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What has been done of one row, over any number of runs. */
export interface RowProgress {
  done: number
  pieces: number
  seconds: number
  /** Null until it was run. */
  controlHolds: boolean | null
  failures: Failure[]
}

export interface Failure {
  seed: number
  /** What to type to see it again. */
  command: string
}

interface Progress {
  /** The first piece's seed; every further piece counts on from it. */
  seed: number
  rows: Record<string, RowProgress>
}

/** In a folder that git ignores. */
const FILE = path.join(import.meta.dirname, '../../test-results/long.json')

/** Kept after every piece, so that a run that is broken off goes on where it was. */
export const openProgress = ({ fresh, seed, isKept }: { fresh: boolean; seed: number; isKept: boolean }) => {
  if (fresh && isKept) rmSync(FILE, { force: true })
  const progress: Progress = isKept && existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : { seed, rows: {} }
  return {
    seed: progress.seed,
    of: (id: string): RowProgress =>
      (progress.rows[id] ??= { done: 0, pieces: 0, seconds: 0, controlHolds: null, failures: [] }),
    keep: () => {
      if (!isKept) return
      mkdirSync(path.dirname(FILE), { recursive: true })
      writeFileSync(FILE, `${JSON.stringify(progress, null, 2)}\n`)
    },
  }
}
