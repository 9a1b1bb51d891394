import { z } from 'zod'
import type { AppServices } from '../access/app.ts'
import { envelope } from '../http/body.ts'
import { integer, optionalText, requiredText } from '../http/fields.ts'
import { named } from '../http/wire.ts'
import { FILENAME_MAX, FILE_SIZE_MAX } from './rules.ts'
import { attachableSgidOf, signedIdOf } from './signed-ids.ts'
import type { UploadTarget } from './storage.ts'

/** What a client says of a file before it brings it. */
export const NewFile = envelope(
  'blob',
  z.object({
    filename: requiredText(FILENAME_MAX),
    byte_size: integer({ least: 1, most: FILE_SIZE_MAX }),
    checksum: requiredText(),
    content_type: optionalText(),
  }),
)

export type NewFileInput = ReturnType<typeof NewFile.read>

export const NEW_FILE_EXAMPLE = {
  blob: {
    filename: 'floor-plan.pdf',
    byte_size: 48213,
    checksum: 'XUFAKrxLKna5cZ2REBfFkg==',
    content_type: 'application/pdf',
  },
}

export const DirectUpload = named(
  'DirectUpload',
  z.object({
    signed_id: z.string(),
    attachable_sgid: z.string(),
    direct_upload: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
  }),
  {
    signed_id: '7Yk3n6mXq2RfVbT9sWcD4eKxZ0oOvJtqGdXn3Q2hJmY5fX0s',
    attachable_sgid: '7Yk3n6mXq2RfVbT9sWcD4eoZ8kR1uYw5TqLbNfHcVdXg2j7p',
    direct_upload: {
      url: 'https://foyer.example/uploads/1-7Yk3n6mXq2RfVbT9sWcD4e-t3k9x1-9aXQ7c',
      headers: { 'Content-Type': 'application/pdf', 'Content-MD5': 'XUFAKrxLKna5cZ2REBfFkg==' },
    },
  },
)

export const showDirectUpload = (
  app: AppServices,
  key: string,
  invitation: UploadTarget,
): z.output<typeof DirectUpload> => ({
  signed_id: signedIdOf(app, key),
  attachable_sgid: attachableSgidOf(app, key),
  direct_upload: invitation,
})
