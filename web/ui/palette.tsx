import { Modal, ScrollArea, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { commonWords } from './common-words.ts'
import { SearchIcon } from './icons.tsx'
import classes from './palette.module.css'
import { useWords } from './words.ts'

export interface PaletteItem {
  id: string
  label: string
  hint?: string
  run: () => void
}

/** Where the palette looks: a room gives one for its things, the frame one for its actions. */
export interface PaletteSource {
  group: string
  find: (text: string) => readonly PaletteItem[] | Promise<readonly PaletteItem[]>
}

/** What each source has found for a text; one that has not answered yet is missing. */
interface Found {
  text: string | null
  items: readonly (readonly PaletteItem[] | undefined)[]
}

const NOTHING: Found = { text: null, items: [] }

/** Shows each answer as it comes, so that a source that must ask the server holds up no other. */
const useFound = (sources: readonly PaletteSource[], text: string): Found => {
  const [found, setFound] = useState(NOTHING)
  useEffect(() => {
    let isCurrent = true
    const answers: (readonly PaletteItem[] | undefined)[] = sources.map(() => undefined)
    const ask = async (source: PaletteSource, at: number) => {
      // A source that cannot be asked just now leaves the others alone.
      const [result] = await Promise.allSettled([source.find(text)])
      if (!isCurrent) return
      answers[at] = result.status === 'fulfilled' ? result.value : []
      setFound({ text, items: [...answers] })
    }
    for (const [at, source] of sources.entries()) void ask(source, at)
    return () => {
      isCurrent = false
    }
  }, [sources, text])
  return found
}

interface PaletteProps {
  onClose: () => void
  sources: readonly PaletteSource[]
}

const Palette = ({ onClose, sources }: PaletteProps) => {
  const words = useWords(commonWords)
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      attributes={{ content: { 'aria-label': words.palette.title } }}
      transitionProps={{ duration: 100 }}
    >
      <PaletteSearch sources={sources} onClose={onClose} />
    </Modal>
  )
}

const PaletteSearch = ({ sources, onClose }: PaletteProps) => {
  const words = useWords(commonWords)
  const [text, setText] = useState('')
  const [activeId, setActiveId] = useState<string | null>(null)
  const [isEnterWaiting, setEnterWaiting] = useState(false)
  const found = useFound(sources, text)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  // The dialog gives it the keyboard only some moments after it can be seen, and people type at once.
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), [])

  const groups = sources
    .map(({ group }, at) => ({ group, items: found.items[at] ?? [] }))
    .filter((group) => group.items.length > 0)
  const items = groups.flatMap((group) => group.items)
  const active = Math.max(
    0,
    items.findIndex((item) => item.id === activeId),
  )
  const isAnswered = found.text === text && (items.length > 0 || !found.items.includes(undefined))
  const optionId = (item: PaletteItem | undefined) => item && `${id}-${item.id}`

  const type = (typed: string) => {
    setText(typed)
    setActiveId(null)
    setEnterWaiting(false)
  }

  const choose = (item: PaletteItem | undefined) => {
    if (!item) return
    onClose()
    item.run()
  }

  // Whoever types fast and presses Enter means what is found, not what stood there before.
  const chooseFound = useEffectEvent(() => choose(items[active]))
  useEffect(() => {
    if (isEnterWaiting && isAnswered) chooseFound()
  }, [isEnterWaiting, isAnswered])

  const move = (to: number) => {
    const next = items[Math.max(0, Math.min(items.length - 1, to))]
    if (!next) return
    setActiveId(next.id)
    document.getElementById(optionId(next) ?? '')?.scrollIntoView({ block: 'nearest' })
  }

  const hear = (event: KeyboardEvent) => {
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      Enter: () => setEnterWaiting(true),
    }
    const step = steps[event.key]
    if (!step || event.nativeEvent.isComposing) return
    event.preventDefault()
    step()
  }

  return (
    <div className={classes.palette}>
      <TextInput
        ref={field}
        data-autofocus
        variant="unstyled"
        size="lg"
        leftSection={<SearchIcon />}
        className={classes.input}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={hear}
        placeholder={words.palette.hint}
        aria-label={words.palette.title}
        role="combobox"
        aria-expanded={items.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={optionId(items[active])}
        autoComplete="off"
        spellCheck={false}
      />
      <ScrollArea.Autosize mah="50vh" type="auto" viewportProps={{ tabIndex: 0 }}>
        <div id={`${id}-list`} role="listbox" aria-label={words.palette.results} className={classes.list}>
          {groups.map(({ group, items: own }) => (
            <div key={group} role="group" aria-label={group}>
              <div className={classes.group} role="presentation">
                {group}
              </div>
              {own.map((item) => (
                // The keyboard stays in the field; options are pointed at from there.
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
                <div
                  key={item.id}
                  id={optionId(item)}
                  role="option"
                  aria-selected={item === items[active]}
                  className={classes.option}
                  onClick={() => choose(item)}
                  onMouseMove={() => setActiveId(item.id)}
                >
                  <span dir="auto">{item.label}</span>
                  {item.hint && (
                    <Text span size="xs" c="dimmed">
                      {item.hint}
                    </Text>
                  )}
                </div>
              ))}
            </div>
          ))}
        </div>
        {isAnswered && items.length === 0 && text !== '' && (
          <Text p="md" c="dimmed" role="status">
            {words.palette.none}
          </Text>
        )}
      </ScrollArea.Autosize>
    </div>
  )
}

export default Palette
