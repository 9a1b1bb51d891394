import { Mark, type Editor as TextEditor } from '@tiptap/core'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import { StarterKit } from '@tiptap/starter-kit'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useLatest } from '../latest.ts'
import { Attachment } from './attachment.ts'
import classes from './editor.module.css'
import { editorHtmlToStored, isLinkAddress, storedToEditorHtml } from './markup.ts'
import { EditorToolbar } from './tools.tsx'
import { AttachButton, type FileUploads, UploadList, useUploads } from './uploads.tsx'

interface EditorProps {
  labelledBy: string
  value: string
  onChange: (html: string) => void
  isInvalid: boolean
  /** Where files may stand in the text. */
  files?: FileUploads | undefined
  /** Ctrl and Enter in the text. */
  onSubmit?: (() => void) | undefined
  onUploading?: ((isUploading: boolean) => void) | undefined
}

/** Elements that the server lets through and the kit does not know; without them opening a text would lose them. */
const markFor = (name: string, tag: string) =>
  Mark.create({ name, parseHTML: () => [{ tag }], renderHTML: () => [tag, 0] })

const EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => isLinkAddress(address),
      HTMLAttributes: { target: null, rel: null, class: null },
    },
    trailingNode: false,
  }),
  markFor('subscript', 'sub'),
  markFor('superscript', 'sup'),
  markFor('small', 'small'),
]

const EXTENSIONS_WITH_FILES = [...EXTENSIONS, Attachment]

/** A table of a spreadsheet comes as a picture, too: who pastes it means the text. */
const pastedFiles = ({ clipboardData }: ClipboardEvent): File[] =>
  clipboardData && clipboardData.getData('text/plain') === '' ? Array.from(clipboardData.files) : []

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

const Editor = ({ labelledBy, value, onChange, isInvalid, files, onSubmit, onUploading }: EditorProps) => {
  /** What the editor has said last: only what comes from elsewhere is put into it. */
  const said = useRef(value)
  const hear = useLatest(onChange)
  const [isOver, setIsOver] = useState(false)
  const opened = useRef<TextEditor | null>(null)
  const { uploads, take, drop } = useUploads(opened, files)
  const isUploading = uploads.some(({ fault }) => fault === null)
  useEffect(() => {
    if (!isUploading) return undefined
    onUploading?.(true)
    return () => onUploading?.(false)
  }, [onUploading, isUploading])
  // Whoever sends at once after the last letter sends that letter too.
  const current = useLatest({ take, onSubmit })

  const editor = useEditor({
    extensions: files ? EXTENSIONS_WITH_FILES : EXTENSIONS,
    content: storedToEditorHtml(value),
    injectCSS: false,
    immediatelyRender: true,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelledBy,
        dir: 'auto',
        class: classes.text!,
      },
      handleKeyDown: (_view, event) => {
        const { onSubmit: submit } = current.current
        if (!submit || event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return false
        submit()
        return true
      },
      handlePaste: (_view, event) => {
        const pasted = files ? pastedFiles(event) : []
        if (pasted.length === 0) return false
        current.current.take(pasted)
        return true
      },
      handleDrop: (view, event) => {
        const dropped = Array.from(event.dataTransfer?.files ?? [])
        if (!files || dropped.length === 0) return false
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })
        if (at) editor.commands.setTextSelection(at.pos)
        event.preventDefault()
        current.current.take(dropped)
        return true
      },
    },
    onUpdate: ({ editor: changed }) => {
      said.current = editorHtmlToStored(changed.getHTML())
      hear.current(said.current)
    },
  })

  useEffect(() => {
    opened.current = editor
  }, [editor])

  useEffect(() => {
    if (value === said.current) return
    said.current = value
    editor.commands.setContent(storedToEditorHtml(value), { emitUpdate: false })
  }, [editor, value])

  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      underline: now.isActive('underline'),
      strike: now.isActive('strike'),
      heading: now.isActive('heading', { level: 2 }),
      subheading: now.isActive('heading', { level: 3 }),
      bullets: now.isActive('bulletList'),
      numbers: now.isActive('orderedList'),
      quote: now.isActive('blockquote'),
      link: now.isActive('link'),
      canUndo: now.can().undo(),
      canRedo: now.can().redo(),
    }),
  })

  return (
    // What is dropped beside the text is meant for it; the button is the way for everybody.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes.editor}
      data-invalid={isInvalid || undefined}
      data-over={isOver || undefined}
      {...(files && {
        onDragOver: (event: DragEvent) => {
          if (!holdsFiles(event)) return
          event.preventDefault()
          setIsOver(true)
        },
        onDragLeave: () => setIsOver(false),
        onDrop: (event: DragEvent) => {
          setIsOver(false)
          if (event.defaultPrevented || !holdsFiles(event)) return
          event.preventDefault()
          take(Array.from(event.dataTransfer.files))
        },
      })}
    >
      <EditorToolbar editor={editor} state={state}>
        {files && <AttachButton onFiles={take} />}
      </EditorToolbar>
      <EditorContent editor={editor} />
      <UploadList uploads={uploads} onDrop={drop} />
    </div>
  )
}

export default Editor
