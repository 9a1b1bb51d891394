import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createToken, openAccountByCommand, pairDevice, revokeDevice } from '../src/access/operator.ts'
import type { App } from '../src/access/app.ts'
import { checkConsistency } from '../src/consistency/check-consistency.ts'
import { refreshStatistics } from '../src/database/statistics.ts'
import { describeApi } from '../src/api-reference/describe-api.ts'
import { Misconfigured, SETTINGS, type Settings, readEnvFile, readSettings } from '../src/kernel/settings.ts'
import { ENDPOINTS, WEBHOOKS, openApp, serve, workOffJobs } from '../src/main.ts'
import { FileFault } from '../src/loading/fault.ts'
import { exportVenue } from '../src/venue-file/export-venue.ts'
import { loadVenue } from '../src/venue-file/load-venue.ts'
import { banner } from './banner.ts'

const HELP = `Foyer, the front of house of a venue.

Usage: npm run -s foyer -- COMMAND

Commands
  serve [--no-jobs] [--no-http]    Start Foyer. The switches split web and work over machines.
  migrate                          Bring the database up to date.
  load FILE                        Load a venue file, whole or not at all; - reads standard input.
                                   Prints what was made, with every new token, as one JSON object.
  export --account SUBDOMAIN       Print an account as a venue file: codes and answers included, secrets not.
  jobs                             Work off every job that is due now, and say how many.
  token create --account SUBDOMAIN --permission read|write [--person EMAIL] --description TEXT
                                   Make an API token and print it, once. With --person it acts as that
                                   member and ends with the membership.
  device pair --account SUBDOMAIN --name TEXT
                                   Pair a door scanner and print its token, once.
  device revoke --account SUBDOMAIN --name TEXT
                                   Revoke a door scanner; its next request is refused.
  audit                            Recompute counters, quotas and vouchers from their rows, print differences, exit 1 if there are any.
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
    case 'jobs':
      return print(String(await workOffJobs(settings())))
    case 'token':
      return runToken(rest)
    case 'device':
      return runDevice(rest)
    case 'audit':
      return runAudit()
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
  if (!file || others.length > 0) throw new UsageFault('load takes one file, or - for standard input.')
  const venue = file === '-' ? await text(process.stdin) : await readVenue(file)
  const folder = file === '-' ? process.cwd() : path.dirname(path.resolve(file))
  await withApp('load', async (app) => {
    // Printed before anything else can fail: the tokens in it are shown this once.
    print(JSON.stringify(await loadVenue(app, venue, { folder }), null, 2))
    await refreshStatistics(app.database)
  })
}

const runExport = async (argv: string[]) => {
  const subdomain = need(read(argv, { account: { type: 'string' } }), 'account')
  await withApp('export', async (app) => {
    const scope = await openAccountByCommand(app, subdomain, 'export account by command')
    await pipeline(await exportVenue(scope, async () => {}), process.stdout, { end: false })
  })
}

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

/** What is kept beside its rows is computed anew. Nothing is repaired: a difference is a bug to look at. */
const runAudit = async () => {
  const differences = await withApp('audit', checkConsistency)
  for (const difference of differences) print(JSON.stringify(difference))
  if (differences.length > 0) throw new Misconfigured(`The audit found ${differences.length} differences.`)
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
  else console.error(error)
  process.exitCode = 1
}
