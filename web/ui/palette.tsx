import { Modal, ScrollArea, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
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

interface FoundGroup {
  group: string
  items: readonly PaletteItem[]
}

const findAll = async (sources: readonly PaletteSource[], text: string): Promise<FoundGroup[]> => {
  // A source that cannot be asked just now leaves the others alone.
  const found = await Promise.allSettled(sources.map(async (source) => source.find(text)))
  return sources
    .map(({ group }, at) => {
      const result = found[at]!
      return { group, items: result.status === 'fulfilled' ? result.value : [] }
    })
    .filter(({ items }) => items.length > 0)
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
  const [active, setActive] = useState(0)
  const [groups, setGroups] = useState<FoundGroup[]>([])
  const id = useId()

  useEffect(() => {
    let isCurrent = true
    const find = async () => {
      const found = await findAll(sources, text)
      if (!isCurrent) return
      setGroups(found)
      setActive(0)
    }
    void find()
    return () => {
      isCurrent = false
    }
  }, [sources, text])

  const items = groups.flatMap((group) => group.items)
  const optionId = (item: PaletteItem | undefined) => item && `${id}-${item.id}`

  const choose = (item: PaletteItem | undefined) => {
    if (!item) return
    onClose()
    item.run()
  }

  const move = (to: number) => {
    const next = Math.max(0, Math.min(items.length - 1, to))
    setActive(next)
    document.getElementById(optionId(items[next]) ?? '')?.scrollIntoView({ block: 'nearest' })
  }

  const hear = (event: KeyboardEvent) => {
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      Enter: () => choose(items[active]),
    }
    const step = steps[event.key]
    if (!step || event.nativeEvent.isComposing) return
    event.preventDefault()
    step()
  }

  return (
    <div className={classes.palette}>
      <TextInput
        data-autofocus
        variant="unstyled"
        size="lg"
        leftSection={<SearchIcon />}
        className={classes.input}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
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
      <ScrollArea.Autosize mah="50vh" type="auto" viewportProps={{ tabIndex: -1 }}>
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
                  onMouseMove={() => setActive(items.indexOf(item))}
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
        {items.length === 0 && text !== '' && (
          <Text p="md" c="dimmed" role="status">
            {words.palette.none}
          </Text>
        )}
      </ScrollArea.Autosize>
    </div>
  )
}

export default Palette
