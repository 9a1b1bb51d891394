import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { FULL_MARKER } from './full-disk-marker.ts'

/** A disk of its own that can be filled to the last byte and emptied again. */
export interface SmallDisk {
  folder: string
  /** What Foyer is started with, so that it meets this disk. */
  environment: Record<string, string>
  /** Whether it is a real one, which has no room for the log of the database either. */
  isMounted: boolean
  /** Leaves only so much, and nothing at all if it is not told. */
  fill(leaveBytes?: number): void
  free(): void
  /** Lets a database, which stands there, meet the disk as well. */
  reach(client: Pick<pg.Client, 'query'>): Promise<void>
  close(): void
}

export const openSmallDisk = (megabytes: number): SmallDisk => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'foyer-disk-'))
  return mount(folder, megabytes) ? openMounted(folder) : openPretended(folder)
}

/** Most who are not root may not, nor may root in many a container. */
const mount = (folder: string, megabytes: number) => {
  const options = `size=${megabytes}m,mode=0711`
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const openMounted = (folder: string): SmallDisk => {
  const ballast = path.join(folder, 'ballast')
  const free = () => rmSync(ballast, { force: true })

  return {
    folder,
    environment: {},
    isMounted: true,
    fill: (leaveBytes = 0) => {
      free()
      const spare = path.join(folder, 'spare')
      const write = (file: string, most: number) => {
        const handle = openSync(file, 'a')
        try {
          for (let left = most; left > 0;) left -= writeSync(handle, Buffer.alloc(Math.min(left, 1024 * 1024), 1))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        } finally {
          closeSync(handle)
        }
      }
      write(spare, leaveBytes)
      write(ballast, Infinity)
      rmSync(spare, { force: true })
    },
    free,
    reach: async () => {},
    close: () => {
      execFileSync('/bin/umount', ['--lazy', folder])
      rmdirSync(folder)
    },
  }
}

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'full-disk-preload.ts')).href

/**
 * Every write fails as it would on a full disk, at the last place that is still ours: the file, the statement. So it can
 * be met by a database that stands elsewhere.
 */
export const openPretendedDisk = (): SmallDisk => openPretended(mkdtempSync(path.join(os.tmpdir(), 'foyer-disk-')))

const openPretended = (folder: string): SmallDisk => {
  // As root the database runs as another user, who must be able to get there.
  chmodSync(folder, 0o711)
  const marker = path.join(folder, FULL_MARKER)
  const free = () => rmSync(marker, { force: true })

  return {
    folder,
    environment: { NODE_OPTIONS: `--import=${PRELOAD}` },
    isMounted: false,
    fill: () => writeFileSync(marker, ''),
    free,
    reach: (client) => failWritesWhile(client, marker),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * A write finds a page with room, or none: by chance, so that transactions end at their first statement, halfway, or
 * not at all.
 */
const failWritesWhile = async (client: Pick<pg.Client, 'query'>, marker: string) => {
  await client.query(`
    create function need_room() returns trigger language plpgsql security definer as $$
    begin
      if (pg_stat_file(${pg.escapeLiteral(marker)}, true)).size is not null and random() < 0.3 then
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
      end if;
      return null;
    end
    $$`)
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  for (const { name } of rows)
    await client.query(`
      create trigger a_write_needs_room after insert or update on ${name}
      for each statement execute function need_room()`)
}
