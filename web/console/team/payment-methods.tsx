import { Button, Group, NumberInput, PasswordInput, Switch, Text, Textarea, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { type PaymentMethodChanges, changePaymentMethod, paymentMethodsQuery } from './queries.ts'
import type { PaymentMethod } from './rules.ts'
import { settingsWords } from './settings-words.ts'
import classes from './team.module.css'

/** The ways to pay in the shop. Secrets are written here and never shown. */
export const PaymentMethods = () => {
  const words = useWords(settingsWords)
  const query = useQuery(paymentMethodsQuery)
  return (
    <section className={classes.section} aria-label={words.payment}>
      <Title order={2} size="lg" mt="xl">
        {words.payment}
      </Title>
      {query.isPending && <LoadingRows rows={2} height={120} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.map((method) => (
        <MethodForm key={method.id} method={method} />
      ))}
    </section>
  )
}

type SecretName = 'secret_key' | 'webhook_secret'

const SECRETS: Record<PaymentMethod['name'], readonly SecretName[]> = {
  stripe: ['secret_key', 'webhook_secret'],
  bank_transfer: [],
  at_the_door: [],
  test: [],
}

const useMethodForm = (method: PaymentMethod) => {
  const words = useWords(settingsWords)
  const queries = useQueryClient()
  const [changes, setChanges] = useState<PaymentMethodChanges>({})
  const saving = useMutation({
    mutationFn: (sent: PaymentMethodChanges) => changePaymentMethod(method.id, sent),
    onSuccess: async (_saved, sent) => {
      await queries.invalidateQueries({ queryKey: paymentMethodsQuery.queryKey })
      // What was typed since it was sent stays.
      setChanges((now) =>
        Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== sent[key as keyof typeof sent])),
      )
      showToast(words.saved)
    },
  })
  const set = (change: PaymentMethodChanges) => {
    setChanges((before) => ({ ...before, ...change }))
    if (saving.isError) saving.reset()
  }
  return { changes, set, saving, faults: saving.isError ? faultsByField(saving.error) : {} }
}

const MethodForm = ({ method }: { method: PaymentMethod }) => {
  const words = useWords(settingsWords)
  const { changes, set, saving, faults } = useMethodForm(method)
  const label = words.methods[method.name]
  return (
    <form
      noValidate
      className={classes.card}
      aria-label={label}
      onSubmit={(submission) => {
        submission.preventDefault()
        saving.mutate(changes)
      }}
    >
      <div>
        <Title order={3} size="md">
          {label}
        </Title>
        <p className={classes.quiet}>{words.methodHints[method.name]}</p>
      </div>
      <Switch
        label={words.offered(label)}
        checked={changes.enabled ?? method.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
        error={faults['enabled']}
      />
      {method.name === 'bank_transfer' && (
        <>
          <Textarea
            label={words.instructions}
            description={words.instructionsHint}
            value={(changes.instructions === undefined ? method.instructions : changes.instructions) ?? ''}
            onChange={(event) => set({ instructions: event.currentTarget.value })}
            autosize
            minRows={3}
            error={faults['instructions']}
          />
          <NumberInput
            label={words.expires_after_days}
            value={changes.expires_after_days ?? method.expires_after_days ?? ''}
            onChange={(value) => set({ expires_after_days: Number(value) })}
            min={1}
            allowDecimal={false}
            error={faults['expires_after_days']}
          />
        </>
      )}
      {SECRETS[method.name].map((name) => (
        <SecretField
          key={name}
          method={method}
          name={name}
          value={changes[name] ?? ''}
          onChange={(value) => set({ [name]: value })}
          fault={faults[name]}
        />
      ))}
      {method.webhook_url !== null && (
        <Text size="sm">
          {words.webhookUrl}: <code className={classes.secret}>{method.webhook_url}</code>
        </Text>
      )}
      {saving.isError && (
        <Text c="var(--bad)" role="alert">
          {refusalSentence(saving.error)}
        </Text>
      )}
      <Group justify="flex-end">
        <Button
          type="submit"
          variant="default"
          loading={saving.isPending}
          disabled={Object.values(changes).every((value) => value === '' || value === undefined)}
        >
          {words.save}
        </Button>
      </Group>
    </form>
  )
}

interface SecretFieldProps {
  method: PaymentMethod
  name: SecretName
  value: string
  onChange: (value: string | undefined) => void
  fault: string | undefined
}

const SecretField = ({ method, name, value, onChange, fault }: SecretFieldProps) => {
  const words = useWords(settingsWords)
  const queries = useQueryClient()
  const [isTaking, setIsTaking] = useState(false)
  const isSet = name === 'secret_key' ? method.has_secret_key : method.has_webhook_secret
  return (
    <div>
      <PasswordInput
        label={words[name]}
        description={isSet ? words.secretSet : words.secretMissing}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
        autoComplete="off"
        error={fault}
        visibilityToggleButtonProps={{ 'aria-label': words[name] }}
      />
      {isSet && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="bad"
          mt={4}
          aria-label={words.takeAwayOf(words[name])}
          onClick={() => setIsTaking(true)}
        >
          {words.takeAway}
        </Button>
      )}
      {isTaking && (
        <ConfirmDialog
          title={words.takeAwaySure(words[name])}
          confirmLabel={words.takeAwayNow}
          act={async () => {
            await changePaymentMethod(method.id, { [name]: null, enabled: false })
            await queries.invalidateQueries({ queryKey: paymentMethodsQuery.queryKey })
          }}
          onDone={() => showToast(words.takenAway)}
          onClose={() => setIsTaking(false)}
        >
          <Text>{words.takeAwayMore}</Text>
        </ConfirmDialog>
      )}
    </div>
  )
}
