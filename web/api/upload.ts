import { api } from './api.ts'
import { dataOrThrow } from './client.ts'
import { md5Base64 } from './md5.ts'
import { ApiRefusal } from './refusals.ts'

/** How much has been sent, in parts of one, which only XMLHttpRequest knows. */
type OnProgress = (part: number) => void

/** Announces a picture and brings its bytes; resolves to the signed ID that stands for it in bodies. */
export const uploadImage = async (file: File, onProgress: OnProgress): Promise<string> => {
  const body = { blob: await describeFile(file) }
  const { signed_id, direct_upload } = await dataOrThrow(api.POST('/admin/direct_uploads', { body }))
  await put(direct_upload, file, onProgress)
  return signed_id
}

/** The same for a file of a task or a comment. */
export const uploadTaskFile = async (file: File, onProgress: OnProgress) => {
  const body = { blob: await describeFile(file) }
  const { signed_id, attachable_sgid, direct_upload } = await dataOrThrow(api.POST('/admin/task_uploads', { body }))
  await put(direct_upload, file, onProgress)
  return {
    sgid: attachable_sgid,
    filename: file.name,
    contentType: file.type === '' ? 'application/octet-stream' : file.type,
    byteSize: file.size,
    url: `/admin/task_uploads/${signed_id}`,
  }
}

const describeFile = async (file: File) => ({
  filename: file.name,
  byte_size: file.size,
  checksum: md5Base64(new Uint8Array(await file.arrayBuffer())),
  content_type: file.type === '' ? null : file.type,
})

interface Target {
  url: string
  headers: Record<string, string>
}

const put = async ({ url, headers }: Target, file: File, onProgress: OnProgress): Promise<void> => {
  const status = await new Promise<number>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total))
    request.addEventListener('load', () => resolve(request.status))
    request.addEventListener('error', () => reject(new ApiRefusal('offline')))
    request.send(file)
  })
  if (status >= 300) throw new ApiRefusal(status === 413 || status === 422 ? 'invalid' : 'unexpected', { status })
}
