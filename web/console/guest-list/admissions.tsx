import { Button, Group, NativeSelect, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import { freeSeatsQuery } from './queries.ts'
import type { Admission, Party } from './rules.ts'
import { TicketSeatPlan } from './seat-picker.tsx'
import { guestWords } from './words.ts'

const CancelDialog = lazy(() => import('./cancel-dialog.tsx'))

/** The tickets of a party, one for each person. */
export const Admissions = ({ slug, party, zone }: { slug: string; party: Party; zone: string }) => {
  const words = useWords(guestWords)
  return (
    <section aria-label={words.page.tickets}>
      <Title order={2} size="lg" mb="xs">
        {words.page.tickets}
      </Title>
      <ul className={classes.admissions}>
        {party.admissions.map((admission) => (
          <AdmissionRow key={admission.public_id} slug={slug} party={party} admission={admission} zone={zone} />
        ))}
      </ul>
    </section>
  )
}

interface AdmissionRowProps {
  slug: string
  party: Party
  admission: Admission
  zone: string
}

const AdmissionRow = ({ slug, party, admission, zone }: AdmissionRowProps) => {
  const words = useWords(guestWords)
  const { date } = useFormat()
  const queries = useQueryClient()
  const [open, setOpen] = useState<'cancel' | 'seat' | null>(null)
  const isOver = admission.admission_status !== 'active'
  const name = admission.attendee_name
  const cancellation = useMutation({
    mutationFn: () =>
      dataOrThrow(
        api.POST('/admin/events/{event_slug}/guest_parties/{public_id}/admissions/{admission_public_id}/cancellation', {
          params: {
            path: { event_slug: slug, public_id: party.public_id, admission_public_id: admission.public_id },
          },
        }),
      ),
    onSuccess: async () => {
      setOpen(null)
      showToast(words.page.cancelled)
      await queries.invalidateQueries({ queryKey: ['events', slug] })
    },
    onError: (error) => showErrorToast(refusalSentence(error)),
  })

  return (
    <li data-over={isOver || undefined}>
      <div className={classes.admission}>
        <span className={classes.name} dir="auto">
          {name}
        </span>
        <span className={classes.quiet}>
          {[
            admission.place_label,
            words.page.code(admission.display_check_in_code),
            isOver ? words.cancelledTag : null,
            admission.redeemed_at && words.page.cameIn(date(admission.redeemed_at, zone, 'time')),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <Group gap="xs">
        {admission.seat_exchangeable && open !== 'seat' && (
          <Button size="compact-sm" variant="default" onClick={() => setOpen('seat')}>
            {words.page.moveSeat}
          </Button>
        )}
        {admission.cancellable && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="bad"
            aria-label={words.page.cancelOneOf(name)}
            onClick={() => setOpen('cancel')}
          >
            {words.page.cancelOne}
          </Button>
        )}
      </Group>
      {open === 'seat' && <SeatMove slug={slug} party={party} admission={admission} onClose={() => setOpen(null)} />}
      {open === 'cancel' && (
        <Suspense>
          <CancelDialog
            title={words.page.cancelOneOf(name)}
            people={1}
            isPending={cancellation.isPending}
            onCancel={() => cancellation.mutate()}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
    </li>
  )
}

interface SeatMoveProps {
  slug: string
  party: Party
  admission: Admission
  onClose: () => void
}

/** Another free seat of the same ticket, and who will be told of it. */
const SeatMove = ({ slug, party, admission, onClose }: SeatMoveProps) => {
  const words = useWords(guestWords)
  const common = useWords(commonWords)
  const queries = useQueryClient()
  const query = useQuery(freeSeatsQuery(admission.public_id))
  const [seat, setSeat] = useState<number | null>(null)
  const moving = useMutation({
    mutationFn: (placeId: number) =>
      dataOrThrow(
        api.POST('/admin/order_items/{public_id}/seat_exchange', {
          params: { path: { public_id: admission.public_id } },
          body: { seat_exchange: { event_place_id: placeId } },
        }),
      ),
    onSuccess: async ({ place_label }) => {
      showToast(words.page.movedTo(place_label))
      onClose()
      await queries.invalidateQueries({ queryKey: ['events', slug] })
    },
  })
  if (query.isPending) return <LoadingRows rows={1} height={36} />
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { available_places: places } = query.data
  const chosen = seat ?? places[0]?.id
  const fault = moving.isError ? (faultsByField(moving.error)['event_place_id'] ?? refusalSentence(moving.error)) : null

  return (
    <form
      className={classes.seatMove}
      aria-label={words.page.moveSeatOf(admission.attendee_name)}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== undefined && !moving.isPending) moving.mutate(chosen)
      }}
    >
      {places.length === 0 && <p className={classes.quiet}>{words.seats.none}</p>}
      {places.length > 0 && (
        <>
          <NativeSelect
            label={words.page.moveTo}
            value={String(chosen)}
            onChange={(event) => setSeat(Number(event.currentTarget.value))}
            data={places.map(({ id, label }) => ({ value: String(id), label }))}
            error={fault}
          />
          <TicketSeatPlan
            slug={slug}
            ticketId={party.ticket_id}
            free={places}
            picked={chosen === undefined ? [] : [chosen]}
            onPick={([id]) => setSeat(id ?? null)}
            isSingle
          />
          <p className={classes.quiet}>
            {party.delivery_email === null ? words.page.moveTellsNobody : words.page.moveTells(party.delivery_email)}
          </p>
        </>
      )}
      <Group gap="xs">
        {places.length > 0 && (
          <Button type="submit" size="compact-md" loading={moving.isPending}>
            {words.page.move}
          </Button>
        )}
        <Button size="compact-md" variant="default" onClick={onClose}>
          {common.cancel}
        </Button>
      </Group>
    </form>
  )
}
