import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createToken, openAccountByCommand, pairDevice, revokeDevice } from '../src/access/operator.ts'
import type { App } from '../src/access/app.ts'
import { appsOfShards } from '../src/access/shards.ts'
import { yieldToOthers } from '../src/backup/priority.ts'
import { restoreServers } from '../src/backup/restore-servers.ts'
import { writeBackupFiles } from '../src/backup/back-up-servers.ts'
import { checkConsistency } from '../src/consistency/check-consistency.ts'
import { isDatabaseUnavailable } from '../src/database/database.ts'
import { refreshStatistics } from '../src/database/statistics.ts'
import { describeApi } from '../src/api-reference/describe-api.ts'
import { openLog } from '../src/kernel/log.ts'
import { Misconfigured, SETTINGS, type Settings, readEnvFile, readSettings } from '../src/kernel/settings.ts'
import { ENDPOINTS, WEBHOOKS, openApp, serve, runDueJobs } from '../src/main.ts'
import { openConnection } from '../src/database/open-connection.ts'
import { connectToShard } from '../src/database/open-shards.ts'
import { FileFault } from '../src/loading/fault.ts'
import { exportVenue } from '../src/venue-file/export-venue.ts'
import { findCertificateWarnings } from '../src/wallet/certificate-warnings.ts'
import { moveAccount } from '../src/shards/move-account.ts'
import { makeTestCertificates } from '../src/wallet/apple/test-certificates.ts'
import { loadVenue } from '../src/venue-file/load-venue.ts'
import { banner } from './banner.ts'

const HELP = `Foyer, the front of house of a venue.

Usage: npm run -s foyer -- COMMAND

Commands
  serve [--no-jobs] [--no-http]    Start Foyer. The switches split web and work over machines.
  migrate                          Bring the database up to date.
  load FILE [--shard NAME]         Load a venue file, whole or not at all; - reads standard input.
                                   Prints what was made, with every new token, as one JSON object.
  export --account SUBDOMAIN       Print an account as a venue file: codes and answers included, secrets not.
  backup FILE                      Write database, secret, images and uploads into one archive, beside a running server.
  restore FILE                     Bring a backup into an empty installation, and audit it.
  jobs                             Work off every job that is due now, and say how many.
  token create --account SUBDOMAIN --permission read|write [--person EMAIL] --description TEXT
                                   Make an API token and print it, once. With --person it acts as that
                                   member and ends with the membership.
  device pair --account SUBDOMAIN --name TEXT
                                   Pair a door scanner and print its token, once.
  device revoke --account SUBDOMAIN --name TEXT
                                   Revoke a door scanner; its next request is refused.
  account move SUBDOMAIN --to SHARD
                                   Move an account to another server of FOYER_SHARDS, or to main, beside running servers.
  audit                            Recompute counters, quotas and vouchers from their rows, print differences, exit 1 if there are any.
                                   Says which certificate of wallet passes ends soon.
  wallet test-certificates FOLDER  Write certificates that sign wallet passes no phone trusts, to try everything else.
  openapi                          Print the API description (OpenAPI 3.1).
  help                             Print this.

Settings, from the environment or a .env file (what holds without it comes last)
${SETTINGS.map(({ name, says }) => `  ${name.padEnd(24)} ${says}`).join('\n')}

docs/operations.md says more of each, docs/first-venue.md how to begin.
`

/** A command that was typed wrong: one sentence, and where to find the right ones. */
class UsageFault extends Error {}

const main = async (argv: string[]) => {
  const [command, ...rest] = argv
  switch (command) {
    case 'serve':
      return runServe(rest)
    case 'migrate':
      return withApp('migrate', async () => undefined)
    case 'load':
      return runLoad(rest)
    case 'export':
      return runExport(rest)
    case 'backup':
      return runBackup(rest)
    case 'restore':
      return runRestore(rest)
    case 'jobs':
      return print(String(await runDueJobs(settings())))
    case 'token':
      return runToken(rest)
    case 'device':
      return runDevice(rest)
    case 'account':
      return runAccount(rest)
    case 'audit':
      return runAudit()
    case 'wallet':
      return runWallet(rest)
    case 'openapi':
      return print(JSON.stringify(describeApi(ENDPOINTS, WEBHOOKS), null, 2))
    case 'help':
    case '--help':
    case '-h':
    case undefined:
      return print(HELP.trimEnd())
    default:
      throw new UsageFault(`There is no command "${command}".`)
  }
}

const settings = (): Settings => {
  readEnvFile()
  return readSettings()
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

const withApp = async <T>(name: string, work: (app: App) => Promise<T>): Promise<T> => {
  const { app, close } = await openApp(settings(), 'command', name)
  try {
    return await work(app)
  } finally {
    await close()
  }
}

const runServe = async (argv: string[]) => {
  const options = read(argv, { 'no-jobs': { type: 'boolean' }, 'no-http': { type: 'boolean' } })
  const chosen = settings()
  // Listened for from the beginning: a stop that comes while Foyer is still starting is carried out once it stands.
  const stopped = Promise.withResolvers<void>()
  // Ctrl-C comes twice under npm, from the terminal and from npm itself: the second must not end what the first began.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopped.resolve())

  const started = performance.now()
  const serving = await serve(chosen, { http: !options['no-http'], jobs: !options['no-jobs'] })
  print(banner(chosen, serving.demo, Math.round(performance.now() - started)))
  await stopped.promise
  await serving.stop()
}

const runLoad = async (argv: string[]) => {
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

const runExport = async (argv: string[]) => {
  const subdomain = need(read(argv, { account: { type: 'string' } }), 'account')
  await withApp('export', async (app) => {
    const scope = await openAccountByCommand(app, subdomain, 'export account by command')
    await pipeline(await exportVenue(scope, async () => {}), process.stdout, { end: false })
  })
}

const runBackup = async (argv: string[]) => {
  const file = readFileName('backup', argv)
  yieldToOthers()
  const { app, connection, close } = await openApp(settings(), 'command', 'backup')
  try {
    const started = performance.now()
    const written = await writeBackupFiles(app, connection, file)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    for (const { rows, files, bytes, file: name } of written) {
      print(
        `Backed up ${counted(rows, 'row')} and ${counted(files, 'file')} into ${name}: ${sizeOf(bytes)} in ${seconds} s.`,
      )
    }
  } finally {
    await close()
  }
}

const runRestore = async (argv: string[]) => {
  const file = readFileName('restore', argv)
  const chosen = settings()
  const { connection, close } = await openConnection(chosen, 'command', 'restore')
  try {
    const log = openLog(chosen.logLevel)
    const reports = await restoreServers(file, {
      settings: chosen,
      connection,
      connectToShard: (shard) => connectToShard(shard, log),
    })
    for (const { shard, rows, files, createdAt, filesElsewhere } of reports) {
      const where = shard === null ? '' : ` of the shard ${shard}`
      print(`Restored ${counted(rows, 'row')} and ${counted(files, 'file')}${where} of ${createdAt}.`)
      if (filesElsewhere > 0)
        print(`${counted(filesElsewhere, 'file')} are in the object store only: S3_* must lead there.`)
    }
  } finally {
    await close()
  }
  await withApp('restore', async (app) => {
    for (const { database } of appsOfShards(app)) await refreshStatistics(database)
  })
  await runAudit()
  print('The audit found nothing.')
}

const readFileName = (command: string, argv: string[]): string => {
  const [file, ...others] = argv
  if (!file || file.startsWith('-') || others.length > 0) throw new UsageFault(`${command} takes one file.`)
  return file
}

const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
const sizeOf = (bytes: number) =>
  bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`

const readVenue = async (file: string) => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new FileFault(`The file ${file} cannot be read: ${(error as Error).message}.`)
  }
}

const runToken = async ([verb, ...argv]: string[]) => {
  if (verb !== 'create') throw new UsageFault('The token command is: token create.')
  const options = read(argv, {
    account: { type: 'string' },
    permission: { type: 'string' },
    person: { type: 'string' },
    description: { type: 'string' },
  })
  const token = await withApp('token', (app) =>
    createToken(app, {
      subdomain: need(options, 'account'),
      permission: need(options, 'permission'),
      personEmail: options['person'] as string | undefined,
      description: need(options, 'description'),
    }),
  )
  print(token)
}

const runDevice = async ([verb, ...argv]: string[]) => {
  if (verb !== 'pair' && verb !== 'revoke') throw new UsageFault('The device commands are: device pair, device revoke.')
  const options = read(argv, { account: { type: 'string' }, name: { type: 'string' } })
  const device = { subdomain: need(options, 'account'), name: need(options, 'name') }
  if (verb === 'pair') print(await withApp('device', (app) => pairDevice(app, device)))
  else await withApp('device', (app) => revokeDevice(app, device))
}

const runAccount = async ([verb, subdomain, ...argv]: string[]) => {
  if (verb !== 'move' || !subdomain || subdomain.startsWith('-')) {
    throw new UsageFault('The account command is: account move SUBDOMAIN --to SHARD.')
  }
  const to = need(read(argv, { to: { type: 'string' } }), 'to')
  const { rows, pausedMs } = await withApp('account', (app) => moveAccount(app, { subdomain, to }))
  print(
    rows === 0
      ? `The account "${subdomain}" is on ${to} already.`
      : `Moved ${counted(rows, 'row')} of "${subdomain}" to ${to}; nothing could be written for ${(pausedMs / 1000).toFixed(1)} s.`,
  )
}

/** What is kept beside its rows is computed anew. Nothing is repaired: a difference is a bug to look at. */
const runAudit = async () => {
  const { differences, warnings } = await withApp('audit', async (app) => ({
    differences: await checkConsistency(app),
    warnings: await findCertificateWarnings(app),
  }))
  for (const warning of warnings) console.error(warning)
  for (const difference of differences) print(JSON.stringify(difference))
  if (differences.length > 0) throw new Misconfigured(`The audit found ${differences.length} differences.`)
}

const runWallet = async ([verb, folder, ...others]: string[]) => {
  if (verb !== 'test-certificates' || !folder || others.length > 0) {
    throw new UsageFault('The wallet command is: wallet test-certificates FOLDER.')
  }
  await mkdir(folder, { recursive: true })
  const write = async (name: string, text: string) => {
    const file = path.resolve(folder, name)
    // A key that is already there may be in use, so nothing is written over.
    await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw new Misconfigured(
        error.code === 'EEXIST' ? `The file ${file} is already there.` : `${file} cannot be written: ${error.message}.`,
      )
    })
    return file
  }
  const { root, intermediate, certificate, key } = makeTestCertificates()
  await write('root.pem', root)
  print(`WALLET_APPLE_CERTIFICATE=${await write('certificate.pem', certificate)}`)
  print(`WALLET_APPLE_KEY=${await write('key.pem', key)}`)
  print(`WALLET_APPLE_INTERMEDIATE=${await write('intermediate.pem', intermediate)}`)
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options']
type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

const read = (argv: string[], options: Options): Values => {
  try {
    return parseArgs({ args: argv, options, allowPositionals: false }).values
  } catch (error) {
    throw new UsageFault(`${(error as Error).message.split('. ')[0]}.`)
  }
}

const need = (values: Values, name: string): string => {
  const value = values[name]
  if (typeof value !== 'string' || value === '') throw new UsageFault(`--${name} is missing.`)
  return value
}

try {
  await main(process.argv.slice(2))
  process.exitCode = 0
} catch (error) {
  const isUsage = error instanceof UsageFault
  if (isUsage) console.error(`${error.message} See: npm run -s foyer -- help`)
  else if (error instanceof Misconfigured || error instanceof FileFault) console.error(error.message)
  else if (isDatabaseUnavailable(error))
    console.error(`A database server does not answer: ${(error as Error).message}.`)
  else console.error(error)
  process.exitCode = 1
}
