import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { generateApiTypes } from './generate-types.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/** Where the fronts find the types of the API. */
export const API_TYPES = path.join(ROOT, 'web/api/schema.ts')

/** The types as docs/openapi.json wants them now. */
export const currentApiTypes = () =>
  generateApiTypes(JSON.parse(readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8')))

if (process.argv.includes('--write')) writeFileSync(API_TYPES, currentApiTypes())
