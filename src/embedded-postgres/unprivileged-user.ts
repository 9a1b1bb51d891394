import { setTimeout as delay } from 'node:timers/promises'
import { type UnixUser, runCommandAs } from './binaries.ts'

export const POSTGRES_USER_NAME = 'foyer-postgres'

const TRIES = 3
const PAUSE_MS = 300

/**
 * The user as whom root runs PostgreSQL, and nothing else runs: what belongs to `nobody` is open to whatever else runs as
 * `nobody`. Made where there is none yet; null where none can be made.
 */
export const findOrCreatePostgresUser = async (name = POSTGRES_USER_NAME): Promise<UnixUser | null> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const known = await lookUp(name)
    if (known) return known
    const added = await add(name)
    if (added === 'no command') return null
    // Another process may be adding it at this moment.
    if (added === 'refused') await delay(PAUSE_MS)
  }
  return lookUp(name)
}

const OURSELVES: UnixUser = { uid: null, gid: null }

const lookUp = async (name: string): Promise<UnixUser | null> => {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((what) => runCommandAs(OURSELVES, 'id', [what, name])))
  if (uid?.code !== 0 || gid?.code !== 0 || Number(uid.stdout) === 0) return null
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** As most systems do it, and as those of BusyBox do. */
const COMMANDS = [
  [
    '/usr/sbin/useradd',
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir=/nonexistent',
    '--shell=/bin/false',
  ],
  ['/usr/sbin/adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/bin/false'],
] as const

const NOT_FOUND = 127

const add = async (name: string): Promise<'added' | 'refused' | 'no command'> => {
  for (const [command, ...options] of COMMANDS) {
    const { code } = await runCommandAs(OURSELVES, command, [...options, name])
    if (code !== NOT_FOUND) return code === 0 ? 'added' : 'refused'
  }
  return 'no command'
}
