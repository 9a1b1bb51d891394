import { ActionIcon, Progress, Text } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { type RefObject, useRef, useState } from 'react'
import { ClipIcon } from '../icons.tsx'
import { refusalSentence } from '../refusal-words.ts'
import { useWords } from '../words.ts'
import { type AttachmentFile, attachmentAttributes } from './attachment.ts'
import classes from './editor.module.css'
import { editorWords } from './words.ts'

/** How files come into a text. */
export interface FileUploads {
  /** Brings the bytes; how much of them has gone is told in parts of one. */
  upload: (file: File, onProgress: (part: number) => void) => Promise<AttachmentFile>
  /** The largest file, in bytes. */
  largest: number
}

interface Upload {
  id: number
  name: string
  part: number
  fault: string | null
}

let lastId = 0

/** Files on their way into a text: each is put where the keyboard stands when it has arrived. */
export const useUploads = (editor: RefObject<Editor | null>, files: FileUploads | undefined) => {
  const words = useWords(editorWords)
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const change = (id: number, part: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...part } : each)))
  const drop = (id: number) => setUploads((before) => before.filter((each) => each.id !== id))

  const bring = async (file: File) => {
    const id = ++lastId
    const isTooLarge = file.size > files!.largest
    const fault = isTooLarge
      ? words.tooLarge(Math.floor(files!.largest / 1024 ** 2))
      : file.size === 0
        ? words.noBytes
        : null
    setUploads((before) => [...before, { id, name: file.name, part: 0, fault }])
    if (fault !== null) return
    try {
      const attached = await files!.upload(file, (part) => change(id, { part }))
      editor.current
        ?.chain()
        .insertContent({ type: 'attachment', attrs: attachmentAttributes(attached) })
        .run()
      drop(id)
    } catch (refusal) {
      change(id, { fault: refusalSentence(refusal) })
    }
  }
  const take = (list: Iterable<File>) => {
    for (const file of list) void bring(file)
  }
  return { uploads, take, drop }
}

export const UploadList = ({ uploads, onDrop }: { uploads: readonly Upload[]; onDrop: (id: number) => void }) => {
  const words = useWords(editorWords)
  if (uploads.length === 0) return null
  return (
    <ul className={classes.uploads}>
      {uploads.map(({ id, name, part, fault }) => (
        <li key={id}>
          <Text size="sm" dir="auto" truncate>
            {name}
          </Text>
          {fault === null ? (
            <Progress value={part * 100} size="sm" aria-label={words.uploading(name)} />
          ) : (
            <Text size="sm" c="bad" role="alert">
              {fault}
            </Text>
          )}
          {fault !== null && (
            <ActionIcon variant="subtle" color="gray" aria-label={words.dropUpload(name)} onClick={() => onDrop(id)}>
              ×
            </ActionIcon>
          )}
        </li>
      ))}
    </ul>
  )
}

/** For those who neither drop nor paste. */
export const AttachButton = ({ onFiles }: { onFiles: (files: Iterable<File>) => void }) => {
  const words = useWords(editorWords)
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={words.attach}
        title={words.attach}
        onClick={() => picker.current?.click()}
      >
        <ClipIcon size={16} />
      </ActionIcon>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        aria-label={words.attach}
        onChange={(event) => {
          onFiles(Array.from(event.currentTarget.files ?? []))
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
