import { Badge, Button, Modal, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCloseUnlessSending } from '../../ui/close-unless-sending.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { createWebhook, webhooksQuery } from './queries.ts'
import type { Webhook } from './rules.ts'
import { SecretDialog } from './secret-dialog.tsx'
import classes from './team.module.css'
import { WebhookForm } from './webhook-form.tsx'
import { webhookWords } from './webhook-words.ts'
import { teamWords } from './words.ts'

const NEW = { url: '', description: '', kinds: [] }

/** Who else is told what happens. */
export const WebhooksView = () => {
  const words = useWords(webhookWords)
  const team = useWords(teamWords)
  const query = useQuery(webhooksQuery)
  const [isAdding, setIsAdding] = useState(false)
  usePageTitle(words.webhooks, team.team)
  useShortcuts([{ keys: 'n', label: team.keys.webhook, run: () => setIsAdding(true) }])
  if (query.isPending) return <LoadingRows />
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const addButton = <Button onClick={() => setIsAdding(true)}>{words.add}</Button>
  return (
    <>
      {query.data.length === 0 ? (
        <EmptyState title={words.none} action={addButton}>
          {words.noneMore}
        </EmptyState>
      ) : (
        <section className={classes.section} aria-label={words.webhooks}>
          <div className={classes.sectionHead}>
            <Title order={2} size="lg">
              {words.webhooks}
            </Title>
            {addButton}
          </div>
          <p className={classes.quiet}>{words.more}</p>
          <ul className={classes.rows}>
            {query.data.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        </section>
      )}
      {isAdding && <NewWebhookDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}

const WebhookRow = ({ webhook }: { webhook: Webhook }) => {
  const words = useWords(webhookWords)
  return (
    <li className={classes.row}>
      <div className={classes.rowMain}>
        <Link to="/team/webhooks/$id" params={{ id: webhook.id }} className={classes.rowName} dir="auto">
          {webhook.description === '' ? webhook.url : webhook.description}
        </Link>
        <span className={classes.rowFacts}>
          {webhook.description !== '' && <span>{webhook.url}</span>}
          <span>{webhook.kinds.length === 0 ? words.toldAll : words.told(webhook.kinds.length)}</span>
        </span>
      </div>
      <WebhookBadge webhook={webhook} />
    </li>
  )
}

export const WebhookBadge = ({ webhook }: { webhook: Webhook }) => {
  const words = useWords(webhookWords)
  return (
    <Badge variant="light" color={webhook.enabled ? 'good' : 'warn'} tt="none" radius="sm">
      {webhook.enabled ? words.on : words.off}
    </Badge>
  )
}

const ADDING = ['add a webhook endpoint']

const NewWebhookDialog = ({ onClose }: { onClose: () => void }) => {
  const words = useWords(webhookWords)
  const common = useWords(commonWords)
  const queries = useQueryClient()
  const adding = useMutation({
    mutationKey: ADDING,
    mutationFn: createWebhook,
    onSuccess: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  })
  const closeUnlessAdding = useCloseUnlessSending(ADDING, onClose)
  if (adding.data) return <SecretDialog title={words.secretTitle} secret={adding.data.secret} onClose={onClose} />
  return (
    <Modal opened onClose={closeUnlessAdding} title={words.add} closeButtonProps={{ 'aria-label': common.close }}>
      <WebhookForm
        before={NEW}
        saveLabel={words.create}
        error={adding.error}
        isSaving={adding.isPending}
        onSave={(settings) => adding.mutate(settings)}
      />
    </Modal>
  )
}
