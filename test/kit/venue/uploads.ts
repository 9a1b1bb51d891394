import { createHash } from 'node:crypto'
import type { Client } from './client.ts'

export interface Uploaded {
  signed_id: string
  attachable_sgid: string
  direct_upload: { url: string; headers: Record<string, string> }
}

/** Real bytes of the smallest picture there is. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const announce = (bytes: Buffer, filename: string, contentType: string) => ({
  blob: {
    filename,
    byte_size: bytes.length,
    checksum: createHash('md5').update(bytes).digest('base64'),
    content_type: contentType,
  },
})

/** The address the answer names, at the port where Foyer of this test listens. */
export const bring = (
  origin: string,
  { direct_upload: { url, headers } }: Uploaded,
  bytes: Buffer,
  more: Record<string, string> = {},
) => {
  const { pathname, host, search } = new URL(url)
  const target = host === 'localhost:3000' ? origin + pathname : new URL(pathname + search, url).href
  return fetch(target, { method: 'PUT', headers: { ...headers, ...more }, body: bytes })
}

/** The whole flow: announce, bring, and answer with the names of the file. */
export const uploadFile = async (
  { origin, client, path = '/admin/task_uploads' }: { origin: string; client: Client; path?: string },
  bytes: Buffer,
  filename = 'plan.pdf',
  contentType = 'application/pdf',
): Promise<Uploaded> => {
  const { status, body, text } = await client.post(path, announce(bytes, filename, contentType))
  if (status !== 200) throw new Error(`The upload was not announced: ${status} ${text}`)
  const put = await bring(origin, body, bytes)
  if (put.status !== 204 && put.status !== 200)
    throw new Error(`The bytes were not taken: ${put.status} ${await put.text()}`)
  return body
}

export const embed = (sgid: string) => `<action-text-attachment sgid="${sgid}"></action-text-attachment>`
