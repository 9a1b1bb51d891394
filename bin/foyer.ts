import { Misconfigured } from '../src/kernel/misconfigured.ts'
import { SETTINGS } from '../src/kernel/settings.ts'
import { FileFault } from '../src/loading/fault.ts'
import { UsageFault } from './usage-fault.ts'

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

/** Each is read when it is called for: most of them need little of the house. */
const COMMANDS: Record<string, () => Promise<{ run(argv: string[]): Promise<unknown> }>> = {
  serve: () => import('./commands/serve.ts'),
  migrate: () => import('./commands/migrate.ts'),
  load: () => import('./commands/load.ts'),
  export: () => import('./commands/export.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  jobs: () => import('./commands/jobs.ts'),
  token: () => import('./commands/token.ts'),
  device: () => import('./commands/device.ts'),
  account: () => import('./commands/account.ts'),
  audit: () => import('./commands/audit.ts'),
  wallet: () => import('./commands/wallet.ts'),
  openapi: () => import('./commands/openapi.ts'),
}

const main = async ([command = 'help', ...rest]: string[]) => {
  if (['help', '--help', '-h'].includes(command)) {
    process.stdout.write(HELP)
    return
  }
  if (!Object.hasOwn(COMMANDS, command)) throw new UsageFault(`There is no command "${command}".`)
  const { run } = await COMMANDS[command]!()
  await run(rest)
}

/** One sentence for whatever the operator can mend. */
const explain = async (error: unknown) => {
  if (error instanceof UsageFault) return `${error.message} See: npm run -s foyer -- help`
  if (error instanceof Misconfigured || error instanceof FileFault) return error.message
  const { isDatabaseUnavailable } = await import('../src/database/database.ts')
  return isDatabaseUnavailable(error) ? `A database server does not answer: ${(error as Error).message}.` : error
}

try {
  await main(process.argv.slice(2))
  process.exitCode = 0
} catch (error) {
  console.error(await explain(error))
  process.exitCode = 1
}
