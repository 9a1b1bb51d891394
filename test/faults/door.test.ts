import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPostmaster } from '../../src/embedded-postgres/postmaster.ts'
import { databaseFolder } from '../kit/database/folders.ts'
import { type FoyerProcess, startFoyer } from '../kit/process/foyer-process.ts'
import { loadNight, progressed, requireEverybodyIn, scanAll } from '../kit/venue/night.ts'
import { randomOf } from '../kit/seed.ts'

/** The full run takes many more. */
const KILLS = Number(process.env['FOYER_KILLS'] ?? 2)
const PER_KILL = 80
const TICKETS = (KILLS + 1) * PER_KILL
/** So many are scanned after a kill before the door counts as back. */
const ENOUGH = 40
/** Five seconds, and what a machine adds that is busy with other tests. */
const BACK_WITHIN_MS = 5_000 + 3_000
const TIMEOUT_MS = 60_000 + KILLS * 15_000

let folder: string
let environment: { FOYER_DATA: string; FOYER_RATE_LIMITS: string; PORT?: string }

beforeAll(async () => {
  folder = await databaseFolder('door')
  environment = { FOYER_DATA: folder, FOYER_RATE_LIMITS: 'off' }
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test(
  'the database is killed while a night is scanned: nothing is lost, and nobody is a false conflict',
  { timeout: TIMEOUT_MS },
  async () => {
    const random = randomOf('kill the database')
    const foyer = await startFoyer({ ...environment })
    try {
      const night = await loadNight(environment, 'killed-database', TICKETS)
      const scanning = scanAll(() => foyer.origin, night)
      for (let kill = 0; kill < KILLS; kill++) {
        // Somewhere within the batches of this stretch.
        await progressed(scanning, kill * PER_KILL + Math.floor(random() * ENOUGH))
        const postmaster = await findPostmaster(path.join(folder, 'postgres'))
        const before = scanning.results.size
        process.kill(postmaster!.pid, 'SIGKILL')
        const killed = Date.now()
        await progressed(scanning, Math.min(TICKETS, before + 1))
        expect(Date.now() - killed).toBeLessThan(BACK_WITHIN_MS)
        await progressed(scanning, Math.min(TICKETS, before + ENOUGH))
      }
      await scanning.done
      expect(foyer.child.exitCode).toBeNull()
      await requireEverybodyIn(foyer.origin, night, scanning.results)
    } finally {
      await foyer.end()
    }
  },
)

test(
  'the server is killed while a night is scanned: nothing is lost, nothing is done twice',
  { timeout: TIMEOUT_MS },
  async () => {
    const random = randomOf('kill the server')
    let foyer: FoyerProcess = await startFoyer({ ...environment })
    try {
      const night = await loadNight(environment, 'killed-server', TICKETS)
      const scanning = scanAll(() => foyer.origin, night)
      for (let kill = 0; kill < KILLS; kill++) {
        await progressed(scanning, kill * PER_KILL + Math.floor(random() * PER_KILL))
        await foyer.end('SIGKILL')
        foyer = await startFoyer({ ...environment })
      }
      await scanning.done
      await requireEverybodyIn(foyer.origin, night, scanning.results)
    } finally {
      await foyer.end()
    }
  },
)

test('control: a door that asks again without a key meets its own redemption', async () => {
  const foyer = await startFoyer({ ...environment })
  try {
    const { token, tickets } = await loadNight(environment, 'no-key', 2)
    const redeem = () =>
      fetch(`${foyer.origin}/scanner/tickets/${tickets[0]}/redemption`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
    expect([(await redeem()).status, (await redeem()).status]).toEqual([200, 422])
  } finally {
    await foyer.end()
  }
})
