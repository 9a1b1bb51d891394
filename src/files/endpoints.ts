import { management } from '../access/access.ts'
import { signedLinkHolder } from '../access/signed-links.ts'
import { RawAnswer, noContent, ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { NotFound } from '../kernel/refusals.ts'
import { IMAGE_LINK_PURPOSE } from './public-images.ts'
import { receiveUpload } from './receive-upload.ts'
import { findBlob } from './records.ts'
import { sendFile } from './send-file.ts'
import { UPLOAD_LINK_PURPOSE, startUpload } from './start-upload.ts'
import { DirectUpload, NEW_FILE_EXAMPLE, NewFile, showDirectUpload } from './wire.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'

const directUploads = endpoint({
  method: 'POST',
  path: '/admin/direct_uploads',
  operationId: 'startImageUpload',
  says: 'Announces an image for a voucher product, an event or a performer and tells where to bring its bytes.',
  access: management('write'),
  body: NewFile,
  example: NEW_FILE_EXAMPLE,
  answers: { 200: DirectUpload },
  handle: async ({ account, body }) => {
    const { key, invitation } = await startUpload(account, 'voucher_image', body)
    return ok(showDirectUpload(account.app, key, invitation))
  },
})

const upload = endpoint({
  method: 'PUT',
  path: '/uploads/:signed_link',
  operationId: 'uploadFile',
  says: 'Takes the bytes of an announced file, once; the address itself is the secret.',
  access: signedLinkHolder(UPLOAD_LINK_PURPOSE),
  streams: true,
  exampleSetup: EXAMPLE_SETUPS.upload,
  answers: { 204: null },
  handle: async ({ account, link, headers, stream }) => {
    await receiveUpload(account, link.id, { headers, bytes: stream })
    return noContent()
  },
})

const FOR_GOOD = 'public, max-age=31536000, immutable'

const publicImage = endpoint({
  method: 'GET',
  path: '/public_images/:signed_link',
  operationId: 'downloadPublicImage',
  says: 'A public image, such as that of a voucher product.',
  access: signedLinkHolder(IMAGE_LINK_PURPOSE),
  exampleSetup: EXAMPLE_SETUPS.image,
  answers: {},
  media: ['application/octet-stream'],
  handle: async ({ account, link, headers }) => {
    const blob = await findBlob(account.rows, link.id)
    if (!blob?.heldAt || !blob.imageType || blob.purpose === 'task') throw new NotFound()
    const answer = await sendFile(account.app, blob, { headers, disposition: 'inline' })
    const shown = { 'cache-control': FOR_GOOD, 'cross-origin-resource-policy': 'cross-origin' }
    return new RawAnswer(answer.status, { ...answer.headers, ...shown }, answer.body)
  },
})

export const fileEndpoints = [directUploads, upload, publicImage]
