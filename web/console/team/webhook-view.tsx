import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiRefusal } from '../../api/refusals.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { changeWebhook, deliveriesQuery, redeliver, removeWebhook, webhooksQuery } from './queries.ts'
import { type Delivery, type Webhook, isOffByHand } from './rules.ts'
import classes from './team.module.css'
import { WebhookForm } from './webhook-form.tsx'
import { webhookWords } from './webhook-words.ts'
import { WebhookBadge } from './webhooks-view.tsx'

const route = getRouteApi('/frame/team/webhooks/$id')

/** One address that is told: what, and how that went. */
export const WebhookView = () => {
  const words = useWords(webhookWords)
  const { id } = route.useParams()
  const query = useQuery(webhooksQuery)
  const webhook = query.data?.find((each) => each.id === id)
  const [isGoing, setIsGoing] = useState(false)
  usePageTitle(webhook?.description || webhook?.url, words.webhooks)
  return (
    <>
      <BackLink to="/team/webhooks">{words.back}</BackLink>
      {query.isPending && <LoadingRows />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && !webhook && <ErrorState error={new ApiRefusal('not_found')} />}
      {webhook && (
        <>
          <Head webhook={webhook} onGoing={setIsGoing} />
          <Deliveries id={id} isGoing={isGoing} />
          <Settings key={webhook.updated_at} webhook={webhook} />
        </>
      )}
    </>
  )
}

const Head = ({ webhook, onGoing }: { webhook: Webhook; onGoing: (isGoing: boolean) => void }) => {
  const words = useWords(webhookWords)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isRemoving, setIsRemoving] = useState(false)
  const refresh = () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey })
  const switching = useMutation({
    mutationFn: () => changeWebhook(webhook.id, { enabled: !webhook.enabled }),
    onSuccess: refresh,
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
  return (
    <section className={classes.section}>
      <Group gap="sm" align="baseline">
        <Title order={2} size="h3" dir="auto">
          {webhook.description === '' ? webhook.url : webhook.description}
        </Title>
        <WebhookBadge webhook={webhook} />
      </Group>
      {webhook.description !== '' && <p className={classes.quiet}>{webhook.url}</p>}
      {!webhook.enabled && <Text c="var(--warn)">{isOffByHand(webhook) ? words.disabledMore : words.switchedOff}</Text>}
      <Group gap="xs">
        <Button variant="default" loading={switching.isPending} onClick={() => switching.mutate()}>
          {webhook.enabled ? words.switchOff : words.switchOn}
        </Button>
        <Button variant="subtle" color="bad" onClick={() => setIsRemoving(true)}>
          {words.remove}
        </Button>
      </Group>
      {isRemoving && (
        <ConfirmDialog
          title={words.sure}
          confirmLabel={words.removeNow}
          act={async () => {
            onGoing(true)
            try {
              await removeWebhook(webhook.id)
            } catch (error) {
              onGoing(false)
              throw error
            }
            await navigate({ to: '/team/webhooks', replace: true })
            await refresh()
          }}
          onDone={() => showToast(words.removed)}
          onClose={() => setIsRemoving(false)}
        >
          <Text>{words.removeMore}</Text>
        </ConfirmDialog>
      )}
    </section>
  )
}

const Settings = ({ webhook }: { webhook: Webhook }) => {
  const words = useWords(webhookWords)
  const queries = useQueryClient()
  const { url, description, kinds } = webhook
  const saving = useMutation({
    mutationFn: (settings: Parameters<typeof changeWebhook>[1]) => changeWebhook(webhook.id, settings),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: webhooksQuery.queryKey })
      showToast(words.saved)
    },
  })
  return (
    <section className={classes.section} aria-label={words.settings}>
      <Title order={2} size="lg">
        {words.settings}
      </Title>
      <WebhookForm
        before={{ url, description, kinds }}
        saveLabel={words.save}
        error={saving.error}
        isSaving={saving.isPending}
        onSave={(settings) => saving.mutate(settings)}
      />
    </section>
  )
}

/** Of a webhook that is being removed nothing is asked any more: it may be gone by then. */
const Deliveries = ({ id, isGoing }: { id: string; isGoing: boolean }) => {
  const words = useWords(webhookWords)
  const query = useQuery({ ...deliveriesQuery(id), enabled: !isGoing })
  return (
    <section className={classes.section} aria-label={words.deliveries}>
      <Title order={2} size="lg">
        {words.deliveries}
      </Title>
      {query.isPending && <LoadingRows rows={3} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <p className={classes.quiet}>{query.data.length === 0 ? words.noDeliveries : words.deliveriesMore}</p>
      )}
      {query.data && query.data.length > 0 && (
        <ul className={classes.rows}>
          {query.data.map((delivery) => (
            <DeliveryRow key={delivery.id} endpointId={id} delivery={delivery} />
          ))}
        </ul>
      )}
    </section>
  )
}

const COLOURS = { pending: 'warn', delivered: 'good', failed: 'bad' }

const DeliveryRow = ({ endpointId, delivery }: { endpointId: string; delivery: Delivery }) => {
  const words = useWords(webhookWords)
  const { date } = useFormat()
  const { account } = useSession()
  const queries = useQueryClient()
  const at = (iso: string) => date(iso, account.time_zone, 'moment')
  const sending = useMutation({
    mutationFn: () => redeliver(delivery.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: deliveriesQuery(endpointId).queryKey })
      showToast(words.redelivered)
    },
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
  const { status, response_status: answer, failure_message: failure, next_attempt_at: next } = delivery
  return (
    <li className={classes.row}>
      <div className={classes.rowMain}>
        <span className={classes.rowName}>{delivery.kind}</span>
        <span className={classes.rowFacts}>
          <span>{at(delivery.created_at)}</span>
          {delivery.attempts_count > 0 && <span>{words.attempts(delivery.attempts_count)}</span>}
          {answer !== null && <span>{words.answered(String(answer))}</span>}
          {failure !== null && <span lang="en">{failure}</span>}
          {next !== null && <span>{words.next(at(next))}</span>}
        </span>
      </div>
      <Badge variant="light" color={COLOURS[status]} tt="none" radius="sm">
        {words.statuses[status]}
      </Badge>
      {status !== 'pending' && (
        <div className={classes.rowTools}>
          <Button
            size="compact-md"
            variant="default"
            aria-label={words.redeliverOf(delivery.kind)}
            loading={sending.isPending}
            onClick={() => sending.mutate()}
          >
            {words.redeliver}
          </Button>
        </div>
      )}
    </li>
  )
}
