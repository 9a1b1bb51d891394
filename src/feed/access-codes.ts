import type { AppServices } from '../access/app.ts'

const PURPOSE = 'access codes of a visitor'

/** Codes on their way from an event's page to its tickets: no page ever shows one. */
export const sealCodes = ({ secrets }: Pick<AppServices, 'secrets'>, codes: readonly string[]): string =>
  secrets.seal(PURPOSE, JSON.stringify(codes)).toString('base64url')

/** What was sealed here; whatever else is sent opens nothing. */
export const openCodes = ({ secrets }: Pick<AppServices, 'secrets'>, sealed: unknown): string[] => {
  if (typeof sealed !== 'string' || sealed === '') return []
  try {
    return JSON.parse(secrets.open(PURPOSE, Buffer.from(sealed, 'base64url'))) as string[]
  } catch {
    return []
  }
}
