import { Button, Group, Text, TextInput, Textarea } from '@mantine/core'
import { PlusIcon } from '../../ui/icons.tsx'
import { useWords } from '../../ui/words.ts'
import type { FaqForm } from './details-form.ts'
import { moveUp, replaceAt, withoutAt } from './lists.ts'
import classes from './setting-up.module.css'
import { setupWords } from './words.ts'

interface FaqSectionProps {
  value: FaqForm[]
  onChange: (items: FaqForm[]) => void
  faults: Readonly<Record<string, string>>
}

export const FaqSection = ({ value, onChange, faults }: FaqSectionProps) => {
  const words = useWords(setupWords).faq
  return (
    <>
      {value.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.none}
        </Text>
      )}
      {value.map((item, n) => (
        // Their order is all that tells two of them apart.
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={n} className={classes.card}>
          <TextInput
            label={words.question}
            value={item.question}
            onChange={(event) => onChange(replaceAt(value, n, { ...item, question: event.currentTarget.value }))}
            error={faults[`faq_items[${n}].question`]}
            dir="auto"
          />
          <Textarea
            label={words.answer}
            description={words.plain}
            autosize
            minRows={2}
            value={item.answer}
            onChange={(event) => onChange(replaceAt(value, n, { ...item, answer: event.currentTarget.value }))}
            error={faults[`faq_items[${n}].answer`]}
            dir="auto"
          />
          <Group gap="xs">
            <Button size="compact-sm" variant="default" disabled={n === 0} onClick={() => onChange(moveUp(value, n))}>
              {words.up(item.question || words.unnamed)}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => onChange(withoutAt(value, n))}>
              {words.remove(item.question || words.unnamed)}
            </Button>
          </Group>
        </fieldset>
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<PlusIcon size={16} />}
          onClick={() => onChange([...value, { question: '', answer: '' }])}
        >
          {words.add}
        </Button>
      </div>
    </>
  )
}
