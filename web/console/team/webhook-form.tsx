import { Button, Checkbox, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { WEBHOOK_KINDS } from '../../../src/webhooks/rules.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { useWords } from '../../ui/words.ts'
import type { WebhookSettings } from './queries.ts'
import classes from './team.module.css'
import { webhookWords } from './webhook-words.ts'

interface WebhookFormProps {
  before: WebhookSettings
  saveLabel: string
  error: unknown
  isSaving: boolean
  onSave: (settings: WebhookSettings) => void
}

/** An address and what it is told; no kind picked is all of them. */
export const WebhookForm = ({ before, saveLabel, error, isSaving, onSave }: WebhookFormProps) => {
  const words = useWords(webhookWords)
  const [settings, setSettings] = useState(before)
  const [hearsAll, setHearsAll] = useState(before.kinds.length === 0)
  const faults = faultsByField(error)
  const set = (change: Partial<WebhookSettings>) => setSettings((known) => ({ ...known, ...change }))
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(submission) => {
        submission.preventDefault()
        onSave({ ...settings, kinds: hearsAll ? [] : settings.kinds })
      }}
    >
      <TextInput
        label={words.url}
        description={words.urlHint}
        type="url"
        value={settings.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
        error={faults['url']}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label={words.description}
        value={settings.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
        error={faults['description']}
        autoComplete="off"
      />
      <Radio.Group
        label={words.kinds}
        value={hearsAll ? 'all' : 'some'}
        onChange={(value) => setHearsAll(value === 'all')}
        error={faults['kinds']}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={words.all} />
          <Radio value="some" label={words.some} />
        </Stack>
      </Radio.Group>
      {!hearsAll && (
        <Checkbox.Group aria-label={words.kinds} value={settings.kinds} onChange={(kinds) => set({ kinds })}>
          <div className={classes.kinds}>
            {WEBHOOK_KINDS.map((kind) => (
              <Checkbox key={kind} value={kind} label={kind} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      {error !== null && (
        <Text c="var(--bad)" role="alert">
          {refusalSentence(error)}
        </Text>
      )}
      <Group justify="flex-end">
        <Button type="submit" loading={isSaving} disabled={!hearsAll && settings.kinds.length === 0}>
          {saveLabel}
        </Button>
      </Group>
    </form>
  )
}
