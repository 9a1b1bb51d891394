/** 20 MB as people and Rails count them. */
export const FILE_SIZE_MAX = 20 * 1024 * 1024
export const FILENAME_MAX = 255
export const FALLBACK_CONTENT_TYPE = 'application/octet-stream'

/** A file's name without the folders it came from and without what a header cannot carry. */
export const cleanFilename = (name: string) =>
  name
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .replace(/^\.+$/, '')

const MIME_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,63}\/[a-z0-9][\w!#$&^.+-]{0,63}(; ?charset=[\w-]{1,32})?$/i

export const isContentType = (text: string) => MIME_TYPE.test(text)

/** Base64 of an MD5. */
export const isChecksum = (text: string) => /^[A-Za-z0-9+/]{22}==$/.test(text)

/** Both spellings of the name, for browsers old and new (RFC 6266). */
export const contentDisposition = (kind: 'inline' | 'attachment', filename: string) => {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = encodeURIComponent(filename).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${full}`
}

export interface ByteRange {
  start: number
  /** The last byte, itself included. */
  end: number
}

/** The one range that was asked for; null for the whole file, which also answers several ranges or a riddle. */
export const parseByteRange = (header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' => {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null

  if (match[1] === '') {
    const count = Math.min(Number(match[2]), size)
    return count === 0 ? 'unsatisfiable' : { start: size - count, end: size - 1 }
  }
  const start = Number(match[1])
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  if (start >= size) return 'unsatisfiable'
  return end < start ? null : { start, end }
}
