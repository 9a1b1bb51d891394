import { z } from 'zod'
import type { AppServices } from '../../access/app.ts'
import { attachableSgidOf, signedIdOf } from '../../files/signed-ids.ts'
import { named } from '../../http/wire.ts'
import { showRichText } from '../../rich-text/attachments.ts'
import type { TaskFile } from './records.ts'

export const Attachment = named(
  'Attachment',
  z.object({
    signed_id: z.string(),
    attachable_sgid: z.string(),
    filename: z.string(),
    content_type: z.string(),
    byte_size: z.int(),
    url: z.string(),
  }),
  {
    signed_id: '7Yk3n6mXq2RfVbT9sWcD4eKxZ0oOvJtqGdXn3Q2hJmY5fX0s',
    attachable_sgid: '7Yk3n6mXq2RfVbT9sWcD4eoZ8kR1uYw5TqLbNfHcVdXg2j7p',
    filename: 'floor-plan.pdf',
    content_type: 'application/pdf',
    byte_size: 48213,
    url: '/admin/task_uploads/7Yk3n6mXq2RfVbT9sWcD4eKxZ0oOvJtqGdXn3Q2hJmY5fX0s',
  },
)

export const showAttachment = (app: AppServices, file: TaskFile): z.output<typeof Attachment> => {
  const signedId = signedIdOf(app, file.key)
  return {
    signed_id: signedId,
    attachable_sgid: attachableSgidOf(app, file.key),
    filename: file.filename,
    content_type: file.imageType ?? file.contentType,
    byte_size: file.byteSize,
    url: `/admin/task_uploads/${signedId}`,
  }
}

/** A kept text with its files filled in. */
export const showTextWithFiles = (app: AppServices, kept: string, files: TaskFile[]): string => {
  if (files.length === 0) return showRichText(kept, [])
  return showRichText(
    kept,
    files.map((file) => {
      const {
        attachable_sgid: sgid,
        filename,
        content_type: contentType,
        byte_size: byteSize,
        url,
      } = showAttachment(app, file)
      return { key: file.key, sgid, filename, contentType, byteSize, url, isImage: file.imageType !== null }
    }),
  )
}
