import { Node } from '@tiptap/core'
import classes from './editor.module.css'

/** A file that stands in a text, as the server names it. */
export interface AttachmentFile {
  sgid: string
  filename: string
  contentType: string
  byteSize: number
  url: string
}

const TAG = 'action-text-attachment'
const IMAGE = /^image\/(png|jpeg|gif|webp|avif)$/

/** The attributes as the server writes them; of what is sent back only the sgid counts. */
export const attachmentAttributes = ({ sgid, filename, contentType, byteSize, url }: AttachmentFile) => ({
  sgid,
  'content-type': contentType,
  filename,
  filesize: String(byteSize),
  url,
})

/** A file within a paragraph. It stays where it is put, and the text around it can be changed. */
export const Attachment = Node.create({
  name: 'attachment',
  group: 'inline',
  inline: true,
  atom: true,
  draggable: true,
  addAttributes: () => ({
    sgid: { default: '' },
    'content-type': { default: '' },
    filename: { default: '' },
    filesize: { default: '' },
    url: { default: '' },
  }),
  parseHTML: () => [{ tag: TAG }],
  renderHTML: ({ HTMLAttributes }) => [TAG, HTMLAttributes],
  addNodeView:
    () =>
    ({ node }) => ({ dom: drawAttachment(node.attrs) }),
})

const drawAttachment = (attributes: Record<string, string | undefined>): HTMLElement => {
  const [name, type, url] = ['filename', 'content-type', 'url'].map((key) => attributes[key] ?? '')
  const box = document.createElement('span')
  box.className = classes.attachment!
  box.dataset['attachment'] = name
  const drawName = () => {
    const label = document.createElement('span')
    label.className = classes.fileName!
    label.dir = 'auto'
    label.textContent = name!
    box.replaceChildren(label)
  }
  if (!IMAGE.test(type!)) drawName()
  else {
    const image = document.createElement('img')
    image.alt = name!
    image.src = url!
    image.addEventListener('error', drawName, { once: true })
    box.append(image)
  }
  return box
}
