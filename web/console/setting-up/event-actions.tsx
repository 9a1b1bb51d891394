import { Button, Checkbox, Modal, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { CopyEvent } from './copy-event.tsx'
import { publishWords } from './publish-words.ts'
import { type EventDetails, eventQuery, eventPathParams, invalidateEventQueries, ticketsQuery } from './queries.ts'
import classes from './setting-up.module.css'

/** What changes an event as a whole: each says what it will do before it does it. */
export const EventActions = ({ event }: { event: EventDetails }) => {
  const words = useWords(publishWords)
  const { account } = useSession()
  const { slug } = event
  const params = eventPathParams(slug)
  const address = `${account.shop_url}/events/${slug}`
  const [dialog, setDialog] = useState<'cancel' | 'copy' | null>(null)
  const close = () => setDialog(null)
  return (
    <ul className={classes.missing}>
      {event.published ? (
        <Action
          label={words.withdraw}
          more={words.withdrawMore}
          said={words.withdrawn}
          run={() => dataOrThrow(api.DELETE('/admin/events/{event_slug}/publication', { params }))}
        />
      ) : (
        <Action
          label={words.publish}
          more={(event.listed ? words.publishMore : words.publishUnlistedMore)(address)}
          said={words.published}
          isMain
          run={() => dataOrThrow(api.POST('/admin/events/{event_slug}/publication', { params }))}
        />
      )}
      <ActionRow more={words.copyMore}>
        <Button variant="default" onClick={() => setDialog('copy')}>
          {words.copy}
        </Button>
      </ActionRow>
      {event.cancelled ? (
        <Action
          label={words.reinstate}
          more={words.reinstateMore}
          said={words.reinstated}
          run={() => dataOrThrow(api.DELETE('/admin/events/{event_slug}/cancellation', { params }))}
        />
      ) : (
        <ActionRow>
          <Button variant="default" onClick={() => setDialog('cancel')}>
            {words.cancel}
          </Button>
        </ActionRow>
      )}
      {event.archived ? (
        <Action
          label={words.restore}
          more={words.restoreMore}
          said={words.restored}
          run={() => dataOrThrow(api.DELETE('/admin/events/{event_slug}/archival', { params }))}
        />
      ) : (
        <Action
          label={words.archive}
          more={words.archiveMore}
          said={words.archived}
          run={() => dataOrThrow(api.POST('/admin/events/{event_slug}/archival', { params }))}
        />
      )}
      {dialog === 'cancel' && <CancelEvent event={event} close={close} />}
      {dialog === 'copy' && <CopyEvent event={event} close={close} />}
    </ul>
  )
}

const ActionRow = ({ more, children }: { more?: string; children: ReactNode }) => (
  <li>
    {children}
    {more && (
      <Text size="sm" c="dimmed">
        {more}
      </Text>
    )}
  </li>
)

/** Whatever it was, the event is shown as the server answers. */
const useAct = (run: () => Promise<EventDetails>, said: string, onDone: () => void = () => {}) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: async (event) => {
      queries.setQueryData(eventQuery(event.slug).queryKey, event)
      showToast(said)
      onDone()
      await invalidateEventQueries(queries)
    },
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
}

interface ActionProps {
  label: string
  more: string
  said: string
  isMain?: boolean
  run: () => Promise<EventDetails>
}

const Action = ({ label, more, said, isMain = false, run }: ActionProps) => {
  const act = useAct(run, said)
  return (
    <ActionRow more={more}>
      <Button variant={isMain ? 'filled' : 'default'} loading={act.isPending} onClick={() => act.mutate()}>
        {label}
      </Button>
    </ActionRow>
  )
}

const CancelEvent = ({ event, close }: { event: EventDetails; close: () => void }) => {
  const words = useWords(publishWords)
  const common = useWords(commonWords)
  const { number } = useFormat()
  const { data: tickets = [] } = useQuery(ticketsQuery(event.slug))
  const [notify, setNotify] = useState(false)
  const out = tickets.reduce((sum, { claimed_count }) => sum + claimed_count, 0)
  const act = useAct(
    () =>
      dataOrThrow(
        api.POST('/admin/events/{event_slug}/cancellation', { params: eventPathParams(event.slug), body: { notify } }),
      ),
    words.cancelled,
    close,
  )
  return (
    <Modal opened onClose={close} title={words.cancelTitle} closeButtonProps={{ 'aria-label': common.close }}>
      <div className={classes.checks}>
        <Text>{words.cancelMore(number(out))}</Text>
        <Checkbox
          label={words.notify}
          description={words.notifyMore}
          checked={notify}
          onChange={(changed) => setNotify(changed.currentTarget.checked)}
        />
        <div className={classes.part}>
          <Button color="bad" loading={act.isPending} onClick={() => act.mutate()}>
            {notify ? words.cancelDoNotify : words.cancelDo}
          </Button>
          <Button variant="default" onClick={close}>
            {words.keep}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
