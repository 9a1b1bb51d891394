import type { BackupOutcome, BackupTask } from './backup-work.ts'
import { type Stage, askAll, redeemableTickets, redemptionOf, requireOnly, setTheStage } from './door-stage.ts'
import { type Bench, type Figure, percentile, round } from './frame.ts'

const WARM_UPS = 3
const TURNS = 6

/** A backup of a large house, and what the door notices of it. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const [tickets, events] = bench.small ? [20_000, 2] : [125_000, 8]
  const stage = await setTheStage(
    bench,
    'backup',
    Array.from({ length: events }, () => tickets),
  )
  const work = (times: number) =>
    bench.work<BackupOutcome>('backup-work.ts', {
      connection: stage.database.connection,
      dataFolder: stage.database.dataFolder,
      times,
    } satisfies BackupTask)

  const { rows, seconds, grownMb } = await work(3)
  const rate = rows / percentile(seconds, 0.5)
  yield {
    id: 'P23',
    what: `rows backed up of a house with ${tickets * events} tickets`,
    figure: round(rate),
    unit: '/s',
    target: '≥ 100,000 /s',
    isMet: rate >= 100_000,
  }
  yield {
    id: 'P23',
    what: 'memory that a backup takes',
    figure: round(grownMb),
    unit: 'MB',
    target: '≤ 64 MB',
    isMet: grownMb <= 64,
  }
  yield* measureDoorBeside(bench, stage, work)
  await stage.foyer.end()
  await stage.database.drop()
}

/** Alone, beside backups and alone again, so that a slow minute of the machine is slow for both. */
async function* measureDoorBeside(
  bench: Bench,
  stage: Stage,
  work: (times: number) => Promise<BackupOutcome>,
): AsyncGenerator<Figure> {
  const tickets = await redeemableTickets(stage, 0)
  const size = bench.small ? 500 : 4_000
  const redeem = async () => {
    const requests = tickets.splice(-size).map((id) => redemptionOf(stage, id))
    const outcome = await askAll(bench, { origins: [stage.foyer.origin], connections: 64, requests })
    requireOnly(200, outcome)
    return size / outcome.seconds
  }
  for (let n = 0; n < WARM_UPS; n++) await redeem()

  const [alone, beside]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < TURNS; turn++) {
    alone.push(await redeem())
    const over = new AbortController()
    const backups = work(bench.small ? 4 : 1).finally(() => over.abort())
    for (let batch = 0; batch < 3 && !over.signal.aborted; batch++) {
      const rate = await redeem()
      // What went on after the backup had ended says nothing.
      if (!over.signal.aborted) beside.push(rate)
    }
    await backups
  }
  alone.push(await redeem())
  const [bare, kept] = [percentile(alone, 0.5), percentile(beside, 0.5)]
  yield {
    id: 'P23',
    what: 'online redemptions beside a backup',
    figure: round(kept),
    unit: '/s',
    baseline: round(bare),
    ratio: round(kept / bare, 2),
    target: '≥ 0.8 × without one',
    isMet: kept / bare >= 0.8,
  }
}
