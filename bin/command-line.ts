import { parseArgs } from 'node:util'
import type { App } from '../src/access/app.ts'
import { type OpenApp, openApp } from '../src/installation/open-app.ts'
import { type Settings, readEnvFile, readSettings } from '../src/kernel/settings.ts'
import { UsageFault } from './usage-fault.ts'

export const settings = (): Settings => {
  readEnvFile()
  return readSettings()
}

export const print = (line: string) => void process.stdout.write(`${line}\n`)

export const withApp = async <T>(
  name: string,
  work: (app: App, connection: OpenApp['connection']) => Promise<T>,
): Promise<T> => {
  const { app, connection, close } = await openApp(settings(), 'command', name)
  try {
    return await work(app, connection)
  } finally {
    await close()
  }
}

export const readFileName = (command: string, argv: string[]): string => {
  const [file, ...others] = argv
  if (!file || file.startsWith('-') || others.length > 0) throw new UsageFault(`${command} takes one file.`)
  return file
}

export const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options']
type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

export const read = (argv: string[], options: Options): Values => {
  try {
    return parseArgs({ args: argv, options, allowPositionals: false }).values
  } catch (error) {
    throw new UsageFault(`${(error as Error).message.split('. ')[0]}.`)
  }
}

export const need = (values: Values, name: string): string => {
  const value = values[name]
  if (typeof value !== 'string' || value === '') throw new UsageFault(`--${name} is missing.`)
  return value
}
