import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { appsOfShards } from '../../src/access/shards.ts'
import { refreshStatistics } from '../../src/database/statistics.ts'
import { FileFault } from '../../src/loading/fault.ts'
import { loadVenue } from '../../src/venue-file/load-venue.ts'
import { print, read, withApp } from '../command-line.ts'
import { UsageFault } from '../usage-fault.ts'

export const run = async (argv: string[]) => {
  const [file, ...others] = argv
  if (!file) throw new UsageFault('load takes one file, or - for standard input.')
  const shard = read(others, { shard: { type: 'string' } })['shard'] as string | undefined
  const venue = file === '-' ? await text(process.stdin) : await readVenue(file)
  const folder = file === '-' ? process.cwd() : path.dirname(path.resolve(file))
  await withApp('load', async (app) => {
    // Printed before anything else can fail: the tokens in it are shown this once.
    print(JSON.stringify(await loadVenue(app, venue, { folder, shard }), null, 2))
    for (const { database } of appsOfShards(app)) await refreshStatistics(database)
  })
}

const readVenue = async (file: string) => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new FileFault(`The file ${file} cannot be read: ${(error as Error).message}.`)
  }
}
