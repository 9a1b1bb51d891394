import { z } from 'zod'
import { organizer } from '../../access/access.ts'
import type { CallerScope } from '../../access/scopes.ts'
import { confirmDirectUploads } from '../../files/receive-upload.ts'
import { type Blob, findBlob } from '../../files/records.ts'
import { sendFile } from '../../files/send-file.ts'
import { readSignedId } from '../../files/signed-ids.ts'
import { startUpload } from '../../files/start-upload.ts'
import { DirectUpload, NEW_FILE_EXAMPLE, NewFile, showDirectUpload } from '../../files/wire.ts'
import { ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { strictQueryChoice } from '../../http/fields.ts'
import { NotFound } from '../../kernel/refusals.ts'
import { canReadFile } from './records.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'

const taskUploads = endpoint({
  method: 'POST',
  path: '/admin/task_uploads',
  operationId: 'startTaskUpload',
  says: 'Announces a file for a description or a comment and tells where to bring its bytes.',
  access: organizer('write'),
  body: NewFile,
  example: NEW_FILE_EXAMPLE,
  answers: { 200: DirectUpload },
  handle: async ({ account, body }) => {
    const { key, invitation } = await startUpload(account, 'task', body)
    return ok(showDirectUpload(account.app, key, invitation))
  },
})

const taskUpload = endpoint({
  method: 'GET',
  path: '/admin/task_uploads/:signed_id',
  operationId: 'downloadTaskUpload',
  says: 'The bytes of a file: images are shown, everything else is a download.',
  access: organizer('read'),
  query: z.object({ disposition: strictQueryChoice('inline', ['inline', 'attachment']) }),
  exampleSetup: EXAMPLE_SETUPS.download,
  answers: {},
  media: ['application/octet-stream'],
  handle: async ({ account, params, query, headers }) => {
    const blob = await findFile(account, params.signed_id)
    return sendFile(account.app, blob, { headers, disposition: query.disposition })
  },
})

const findFile = async (account: CallerScope, signedId: string): Promise<Blob> => {
  const key = readSignedId(account.app, signedId)
  const blob = await account.consistentRead(async (rows) => {
    const named = key && (await findBlob(rows, key))
    return named && named.purpose === 'task' && (await canReadFile(account.within(rows), named.id)) ? named : null
  })
  if (!key || !blob) throw new NotFound()
  if (blob.uploadedAt) return blob

  const arrived = (await confirmDirectUploads(account, [blob])) && (await findBlob(account.rows, key))
  if (!arrived) throw new NotFound()
  return arrived
}

export const attachmentEndpoints = [taskUploads, taskUpload]
