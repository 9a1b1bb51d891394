import packageFile from '../../package.json' with { type: 'json' }

/** Foyer's own version, which is also that of its API. */
export const VERSION: string = packageFile.version
