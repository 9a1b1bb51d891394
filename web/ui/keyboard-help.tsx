import { Group, Modal, Stack, Text, Title } from '@mantine/core'
import { commonWords } from './common-words.ts'
import { ShortcutKeys } from './keys.tsx'
import type { ShortcutLayer } from './shortcuts.ts'
import { useWords } from './words.ts'

/** Which keys do what in the view that is open. */
const KeyboardHelp = ({ layers, onClose }: { layers: readonly ShortcutLayer[]; onClose: () => void }) => {
  const words = useWords(commonWords)
  const groups = (['here', 'everywhere'] as const)
    .map((name) => ({
      name,
      shortcuts: layers.filter((layer) => layer.name === name).flatMap((layer) => layer.shortcuts()),
    }))
    .filter(({ shortcuts }) => shortcuts.length > 0)
  return (
    <Modal opened onClose={onClose} title={words.keys.title} closeButtonProps={{ 'aria-label': words.close }}>
      <Stack gap="lg">
        {groups.map(({ name, shortcuts }) => (
          <section key={name}>
            <Title order={3} size="sm" c="dimmed" mb="xs">
              {words.keys[name]}
            </Title>
            <Stack gap={6}>
              {shortcuts.map(({ keys, label }) => (
                <Group key={keys + label} justify="space-between" wrap="nowrap">
                  <Text size="sm">{label}</Text>
                  <ShortcutKeys keys={keys} />
                </Group>
              ))}
            </Stack>
          </section>
        ))}
      </Stack>
    </Modal>
  )
}

export default KeyboardHelp
