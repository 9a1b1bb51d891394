import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, Suspense, lazy, useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { commonWords } from '../../ui/common-words.ts'
import { downloadFile } from '../../ui/download-file.ts'
import { useFormat } from '../../ui/format.ts'
import { messageInWords, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { guestsAsCsv } from './csv.ts'
import classes from './guest-list.module.css'
import { type PartyResults, inTurns } from './in-turns.ts'
import { useMoveParties } from './move-parties.ts'
import { readParties } from './queries.ts'
import type { Party, PartySummary, TicketOption } from './rules.ts'
import { guestWords } from './words.ts'

const CancelDialog = lazy(() => import('./cancel-dialog.tsx'))
const MoveDialog = lazy(() => import('./move-dialog.tsx'))
const Labels = lazy(() => import('./labels.tsx'))

interface BulkBarProps {
  slug: string
  parties: readonly PartySummary[]
  shown: readonly PartySummary[]
  options: readonly TicketOption[]
  picked: ReadonlySet<string>
  onPicked: Dispatch<SetStateAction<ReadonlySet<string>>>
}

/** What can be done with all that are picked. Whatever could not be done stays picked. */
export const BulkBar = ({ slug, parties, shown, options, picked, onPicked }: BulkBarProps) => {
  const words = useWords(guestWords)
  const common = useWords(commonWords)
  const { number } = useFormat()
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<'cancel' | 'move' | null>(null)
  const [printed, setPrinted] = useState<readonly Party[] | null>(null)
  const chosen = parties.filter(({ public_id }) => picked.has(public_id))
  const ids = chosen.map(({ public_id }) => public_id)
  const params = { path: { event_slug: slug } }

  const tell = async ({ done_count, results }: PartyResults, done: (count: number) => string) => {
    setDialog(null)
    const failed = results.filter((result) => !result.done)
    if (done_count > 0) showToast(done(done_count))
    const why = Object.values(failed[0]?.errors ?? {})[0]?.[0]
    if (failed.length > 0) showErrorToast(words.bulk.notDone(failed.length, messageInWords(why ?? '')))
    // Others may have been picked meanwhile.
    const settled = new Set(results.filter((result) => result.done).map(({ public_id }) => public_id))
    onPicked((now) => now.difference(settled))
    await queries.invalidateQueries({ queryKey: ['events', slug] })
  }
  const onError = (error: unknown) => showErrorToast(refusalSentence(error))

  const mail = useMutation({
    mutationFn: () =>
      inTurns(ids, (public_ids) =>
        dataOrThrow(api.POST('/admin/events/{event_slug}/guest_parties/deliveries', { params, body: { public_ids } })),
      ),
    onSuccess: (results) => tell(results, words.bulk.mailed),
    onError,
  })
  const cancel = useMutation({
    mutationFn: () =>
      inTurns(ids, (public_ids) =>
        dataOrThrow(
          api.POST('/admin/events/{event_slug}/guest_parties/cancellations', { params, body: { public_ids } }),
        ),
      ),
    onSuccess: (results) => tell(results, words.bulk.cancelled),
    onError,
  })
  const moving = useMoveParties(slug, (moved, isAll) => {
    if (isAll) setDialog(null)
    onPicked((now) => now.difference(moved))
  })
  const print = useMutation({ mutationFn: () => readParties(slug, picked), onSuccess: setPrinted, onError })
  const save = useMutation({
    mutationFn: () => readParties(slug, picked),
    onSuccess: (whole) => downloadFile(`${slug}-guests.csv`, 'text/csv;charset=utf-8', guestsAsCsv(whole)),
    onError,
  })

  return (
    <div className={classes.bulkBar} role="region" aria-label={common.picked(picked.size)}>
      <span role="status">{common.picked(picked.size)}</span>
      {shown.length > picked.size && (
        <Button
          size="compact-md"
          variant="default"
          onClick={() => onPicked(new Set(shown.map(({ public_id }) => public_id)))}
        >
          {words.pickAll(number(shown.length))}
        </Button>
      )}
      <Button size="compact-md" loading={mail.isPending} onClick={() => mail.mutate()}>
        {words.bulk.mail}
      </Button>
      <Button size="compact-md" variant="default" onClick={() => setDialog('move')}>
        {words.bulk.move}
      </Button>
      <Button size="compact-md" variant="default" loading={print.isPending} onClick={() => print.mutate()}>
        {words.bulk.print}
      </Button>
      <Button size="compact-md" variant="default" loading={save.isPending} onClick={() => save.mutate()}>
        {words.bulk.csv}
      </Button>
      <Button size="compact-md" variant="light" color="bad" onClick={() => setDialog('cancel')}>
        {words.bulk.cancel}
      </Button>
      <Button size="compact-md" variant="subtle" color="gray" onClick={() => onPicked(new Set())}>
        {common.clear}
      </Button>
      <Suspense>
        {dialog === 'cancel' && (
          <CancelDialog
            title={words.bulk.cancelTitle(chosen.length)}
            people={chosen.reduce((sum, { party_size }) => sum + party_size, 0)}
            isPending={cancel.isPending}
            onCancel={() => cancel.mutate()}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog === 'move' && (
          <MoveDialog
            slug={slug}
            parties={chosen}
            options={options}
            isPending={moving.isPending}
            error={moving.error}
            faults={moving.faults}
            onMove={moving.move}
            onClose={() => {
              moving.forget()
              setDialog(null)
            }}
          />
        )}
        {printed && <Labels slug={slug} parties={printed} onDone={() => setPrinted(null)} />}
      </Suspense>
    </div>
  )
}
