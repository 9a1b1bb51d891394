import type { LogLevel } from './settings.ts'
import { LOG_LEVELS } from './settings.ts'

/** JSON lines on standard error. Callers name fields one by one; whole objects of strangers never go in. */
export interface Log {
  /** Whether info lines are written, for whoever would make one for every request. */
  readonly isVerbose: boolean
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const openLog = (level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log => {
  const least = LOG_LEVELS.indexOf(level)

  const at = (name: LogLevel) => {
    if (LOG_LEVELS.indexOf(name) < least) return () => {}
    return (fields: object, message: string) =>
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields })}\n`)
  }

  const isVerbose = LOG_LEVELS.indexOf('info') >= least
  return { isVerbose, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** An error as the log shows it: what it is and where, never the values it was about. */
export const describeError = (error: unknown) => {
  if (!(error instanceof Error)) return { error: typeof error }
  const { code, constraint, table } = error as { code?: string; constraint?: string; table?: string }
  return {
    error: error.name,
    reason: error.message.split('\n')[0]?.slice(0, 300),
    ...(code && { code }),
    ...(constraint && { constraint }),
    ...(table && { table }),
    stack: error.stack
      ?.split('\n')
      .slice(1, 8)
      .map((line) => line.trim()),
  }
}
