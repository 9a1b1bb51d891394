import { Group, Kbd } from '@mantine/core'

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform)

/** A shortcut as it is printed on the keys. */
export const ShortcutKeys = ({ keys }: { keys: string }) => (
  <Group gap={4} wrap="nowrap">
    {keys
      // A capital letter is one with Shift.
      .replace(/^[A-Z]$/, '⇧+$&')
      .split(/[ +]/)
      .map((key) => (key === 'mod' ? (isApple() ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key))
      .map((key) => (
        <Kbd key={key} size="sm">
          {key}
        </Kbd>
      ))}
  </Group>
)
