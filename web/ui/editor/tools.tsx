import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { BulletsIcon, LinkIcon, NumbersIcon } from '../icons.tsx'
import { useWords } from '../words.ts'
import classes from './editor.module.css'
import { isLinkAddress } from './markup.ts'
import { editorWords } from './words.ts'

interface EditorState {
  bold: boolean
  italic: boolean
  underline: boolean
  strike: boolean
  heading: boolean
  subheading: boolean
  bullets: boolean
  numbers: boolean
  quote: boolean
  link: boolean
  canUndo: boolean
  canRedo: boolean
}

interface ToolsProps {
  editor: Editor
  state: EditorState
  children?: ReactNode
}

/** The library's own focus comes a frame later: what is typed before that would be lost. */
const chainWithFocus = (editor: Editor) => {
  editor.view.focus()
  return editor.chain()
}

/** A tool that is pointed at does not take the focus from the text; the keyboard still reaches it. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

export const EditorToolbar = ({ editor, state, children }: ToolsProps) => {
  const words = useWords(editorWords)
  const chain = () => chainWithFocus(editor)
  return (
    <div className={classes.tools} role="group" aria-label={words.tools}>
      <Tool label={words.bold} isOn={state.bold} onClick={() => chain().toggleBold().run()}>
        <b>B</b>
      </Tool>
      <Tool label={words.italic} isOn={state.italic} onClick={() => chain().toggleItalic().run()}>
        <i>I</i>
      </Tool>
      <Tool label={words.underline} isOn={state.underline} onClick={() => chain().toggleUnderline().run()}>
        <u>U</u>
      </Tool>
      <Tool label={words.strike} isOn={state.strike} onClick={() => chain().toggleStrike().run()}>
        <s>S</s>
      </Tool>
      <Tool label={words.heading} isOn={state.heading} onClick={() => chain().toggleHeading({ level: 2 }).run()}>
        H
      </Tool>
      <Tool label={words.subheading} isOn={state.subheading} onClick={() => chain().toggleHeading({ level: 3 }).run()}>
        <small>H</small>
      </Tool>
      <Tool label={words.bullets} isOn={state.bullets} onClick={() => chain().toggleBulletList().run()}>
        <BulletsIcon size={16} />
      </Tool>
      <Tool label={words.numbers} isOn={state.numbers} onClick={() => chain().toggleOrderedList().run()}>
        <NumbersIcon size={16} />
      </Tool>
      <Tool label={words.quote} isOn={state.quote} onClick={() => chain().toggleBlockquote().run()}>
        ”
      </Tool>
      <LinkTool editor={editor} isOn={state.link} />
      <Tool label={words.undo} isDisabled={!state.canUndo} onClick={() => chain().undo().run()}>
        ↶
      </Tool>
      <Tool label={words.redo} isDisabled={!state.canRedo} onClick={() => chain().redo().run()}>
        ↷
      </Tool>
      {children}
    </div>
  )
}

interface ToolProps {
  label: string
  onClick: () => void
  children: ReactNode
  isOn?: boolean
  isDisabled?: boolean
}

const Tool = ({ label, isOn, isDisabled = false, onClick, children }: ToolProps) => (
  <ActionIcon
    variant={isOn ? 'light' : 'subtle'}
    color={isOn ? 'accent' : 'gray'}
    aria-label={label}
    title={label}
    aria-pressed={isOn}
    disabled={isDisabled}
    onMouseDown={keepFocus}
    onClick={onClick}
  >
    <span aria-hidden="true">{children}</span>
  </ActionIcon>
)

const LinkTool = ({ editor, isOn }: { editor: Editor; isOn: boolean }) => {
  const words = useWords(editorWords)
  const [address, setAddress] = useState<string | null>(null)
  const [isWrong, setIsWrong] = useState(false)

  const open = () => {
    setIsWrong(false)
    setAddress((editor.getAttributes('link')['href'] as string | undefined) ?? '')
  }
  const close = () => setAddress(null)
  const setLink = () => {
    const wanted = (address ?? '').trim()
    const whole = wanted === '' || /^[a-z]+:/i.test(wanted) ? wanted : `https://${wanted}`
    if (whole !== '' && !isLinkAddress(whole)) return setIsWrong(true)
    const chain = chainWithFocus(editor).extendMarkRange('link')
    if (whole === '') chain.unsetLink().run()
    else if (editor.state.selection.empty && !isOn) {
      chain.insertContent({ type: 'text', text: whole, marks: [{ type: 'link', attrs: { href: whole } }] }).run()
    } else chain.setLink({ href: whole }).run()
    close()
  }

  return (
    <Popover
      opened={address !== null}
      onDismiss={close}
      trapFocus
      withinPortal={false}
      shadow="md"
      position="bottom-start"
    >
      <Popover.Target>
        <ActionIcon
          variant={isOn ? 'light' : 'subtle'}
          color={isOn ? 'accent' : 'gray'}
          aria-label={words.link}
          title={words.link}
          aria-pressed={isOn}
          onClick={open}
        >
          <LinkIcon size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.link}>
        <div className={classes.link}>
          <TextInput
            type="url"
            label={words.linkAddress}
            placeholder={words.linkHint}
            value={address ?? ''}
            onChange={(event) => setAddress(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // The field stands in the form of the page, which is not meant.
              event.preventDefault()
              setLink()
            }}
            error={isWrong ? words.badLink : undefined}
            data-autofocus
          />
          <Button size="compact-md" onClick={setLink}>
            {words.setLink}
          </Button>
          {isOn && (
            <Button
              size="compact-md"
              variant="default"
              onClick={() => {
                chainWithFocus(editor).extendMarkRange('link').unsetLink().run()
                close()
              }}
            >
              {words.unlink}
            </Button>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
