import { expect, onTestFinished, test } from 'vitest'
import { openFarDatabase } from '../kit/database/far-database.ts'
import { type ServerPair, startServerPair } from '../kit/database/server-pair.ts'
import { runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { loadNight, progressed, requireEverybodyIn, scanAll } from '../kit/venue/night.ts'
import { countRowsOf } from './doors.ts'

const TICKETS = 200
const BACK_WITHIN_MS = 10_000 + 5_000
const TIMEOUT = { timeout: 120_000 }

const openHouse = async (name: string, pair: ServerPair) => {
  const main = await openFarDatabase(name)
  onTestFinished(main.close)
  const environment = { ...main.environment, FOYER_SHARDS: `two=${pair.url}` }
  const night = await loadNight(environment, name, TICKETS, ['--shard', 'two'])
  const foyer = await startFoyer(environment)
  onTestFinished(async () => void (await foyer.end()))
  return { main, environment, night, foyer }
}

test(
  'a shard of several hosts goes on where its standby was promoted, and its accounts move to it and away',
  TIMEOUT,
  async () => {
    const pair = await startServerPair({ isSynchronous: true })
    onTestFinished(pair.stop)
    const { main, environment, night, foyer } = await openHouse('several-hosts', pair)
    const { id } = night.report.account
    const scanning = scanAll(() => foyer.origin, night)
    await progressed(scanning, 40)
    await pair.primary.kill()
    const before = scanning.results.size
    await pair.promote()
    const promotedAt = performance.now()
    await progressed(scanning, Math.min(before + 20, TICKETS))
    expect(performance.now() - promotedAt).toBeLessThan(BACK_WITHIN_MS)
    await scanning.done
    await requireEverybodyIn(foyer.origin, night, scanning.results)

    // Commands find the one that takes writes as well, and moves go there and back.
    for (const to of ['main', 'two']) {
      const moved = await runFoyer(['account', 'move', 'several-hosts', '--to', to], environment)
      expect(moved).toMatchObject({ code: 0, stderr: expect.not.stringContaining('rror') })
      expect((await countRowsOf(main.beside as never, id)) > 0).toBe(to === 'main')
      await requireEverybodyIn(foyer.origin, night, scanning.results)
    }
    expect(await runFoyer(['audit'], environment)).toMatchObject({ code: 0, stdout: '' })
    expect(foyer.child.exitCode).toBeNull()
  },
)
