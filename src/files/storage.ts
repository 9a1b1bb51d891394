import type { Readable } from 'node:stream'
import { Refusal } from '../kernel/refusals.ts'
import type { ByteRange } from './rules.ts'

/** What is known of a file before its bytes are there. */
export interface AnnouncedFile {
  key: string
  contentType: string
  byteSize: number
  checksum: string
}

export interface UploadTarget {
  url: string
  headers: Record<string, string>
}

/** Bytes that were checked and wait for their place; whoever took them forgets them in the end. */
export interface ReceivedFile {
  imageType: string | null
  keep(): Promise<void>
  forget(): Promise<void>
}

/** Where the bytes of files lie, by their key. */
export interface Storage {
  /** Where a client brings the bytes, in place of our own address; null when it brings them to us. */
  invite(file: AnnouncedFile): Promise<UploadTarget | null>
  /** Checks bytes against what was announced while they pass through; refuses what differs. */
  take(file: AnnouncedFile, bytes: Readable): Promise<ReceivedFile>
  /** Bytes that the client brought without us; null when there are none. */
  collect(file: AnnouncedFile): Promise<ReceivedFile | null>
  /** Null when there is nothing under this key. */
  read(key: string, range: ByteRange | null): Promise<Readable | null>
  /** Also when there was nothing. */
  remove(key: string): Promise<void>
  /** Removes what deliveries left behind that ended with their process. */
  tidy(): Promise<void>
  /** The pictures of events, beside the uploads. */
  readonly images: ContentAddressedFiles
}

export interface StoredFile {
  bytes: Readable
  size: number
}

/** Files whose name says what is in them, so that it never changes: writing one again does nothing new. */
export interface ContentAddressedFiles {
  /** Seen whole or not at all. */
  write(name: string, bytes: Buffer): Promise<void>
  has(name: string): Promise<boolean>
  read(name: string): Promise<StoredFile | null>
  /** Also when there was none. */
  remove(name: string): Promise<void>
  /** The next names in their order, a few hundred at most; none when there are no more. */
  list(after: string): Promise<string[]>
}

/** The disk is full, or the store does not answer: worth trying again. */
export class StorageUnavailable extends Refusal {
  readonly status = 503

  constructor() {
    super({ base: ['The file storage is temporarily unavailable'] })
  }
}
