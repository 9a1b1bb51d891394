import { Button, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { useFormat } from '../../ui/format.ts'
import { useNow } from '../../ui/now.ts'
import { messageInWords, refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { invalidateVouchers, retryDelivery } from './queries.ts'
import { type Delivery, deliveryStateOf } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

/** Who bought it for whom, and whether it has arrived. */
export const Sale = ({ purchase }: { purchase: Schemas['VoucherPurchase'] }) => {
  const { purchase: words, deliveries } = useWords(voucherWords)
  const { money } = useFormat()
  const { paid_amount: paid, bonus_amount: bonus } = purchase
  const people = (name: string, email: string) => [name, email].filter(Boolean).join(' · ')
  const pairs: [name: string, value: string][] = [
    [words.buyer, people(purchase.customer_name, purchase.customer_email)],
    [words.recipient, people(purchase.recipient_name, purchase.recipient_email)],
    [
      words.paid,
      [
        `${money(paid.amount, paid.currency)}, ${words.statuses[purchase.status]}`,
        Number(bonus.amount) > 0 && words.bonus(money(bonus.amount, bonus.currency)),
      ]
        .filter(Boolean)
        .join(', '),
    ],
    [words.message, purchase.message],
  ]
  return (
    <>
      <section aria-label={words.title}>
        <Title order={2} size="lg">
          {words.title}
        </Title>
        <dl className={classes.pairs}>
          {pairs
            .filter(([, value]) => value !== '')
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
        </dl>
      </section>
      {purchase.deliveries.length > 0 && (
        <section aria-label={deliveries.title}>
          <Title order={2} size="lg">
            {deliveries.title}
          </Title>
          <ul className={classes.list}>
            {purchase.deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const DeliveryRow = ({ delivery }: { delivery: Delivery }) => {
  const { deliveries: words } = useWords(voucherWords)
  const { date, number } = useFormat()
  const { account } = useSession()
  const queries = useQueryClient()
  const state = deliveryStateOf(delivery, useNow())
  const at = delivery.delivered_at ?? delivery.failed_at ?? delivery.scheduled_for ?? delivery.queued_at
  const retry = useMutation({
    mutationFn: () => retryDelivery(delivery.id),
    onSuccess: async () => {
      showToast(words.retried(delivery.recipient_email))
      await invalidateVouchers(queries)
    },
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
  return (
    <li>
      <span>
        <span dir="auto">{[delivery.recipient_name, delivery.recipient_email].filter(Boolean).join(' · ')}</span>
        <br />
        <span className={classes.quiet} dir="auto">
          {[
            words.states[state],
            at && date(at, account.time_zone, 'moment'),
            delivery.attempts_count > 0 &&
              words.attempts(number(delivery.attempts_count), delivery.attempts_count === 1),
            state === 'failed' && messageInWords(delivery.failure_message ?? ''),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {state !== 'delivered' && state !== 'scheduled' && (
        <Button size="compact-md" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          {words.retry}
        </Button>
      )}
    </li>
  )
}
