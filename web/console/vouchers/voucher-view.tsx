import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { BackLink } from '../../ui/back-link.tsx'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { useSession } from '../../ui/session.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { Balance } from './balance.tsx'
import { Ledger } from './ledger.tsx'
import { LookupBar } from './lookup-bar.tsx'
import { Sale } from './sale.tsx'
import { voucherQuery } from './queries.ts'
import type { VoucherDetail } from './rules.ts'
import { StatusTag } from './status-tag.tsx'
import { VoucherActions } from './voucher-actions.tsx'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const route = getRouteApi('/frame/vouchers/$voucher')

/** One voucher: what is left of it, why, and what can be done about it. The next one can be scanned right here. */
export const VoucherView = () => {
  const words = useWords(voucherWords)
  const { voucher: id } = route.useParams()
  const query = useQuery(voucherQuery(id))
  usePageTitle(query.data?.masked_code ?? words.one, words.title)
  return (
    <>
      <BackLink to="/vouchers">{words.back}</BackLink>
      {query.isPending && <LoadingRows rows={3} height={96} />}
      {query.isError && !query.data && (
        <ErrorState level={1} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data && <VoucherHome key={id} voucher={query.data} />}
    </>
  )
}

const VoucherHome = ({ voucher }: { voucher: VoucherDetail }) => {
  const words = useWords(voucherWords)
  const { date } = useFormat()
  const { account } = useSession()
  const day = (at: string) => date(at, account.time_zone, 'dayAndYear')
  const { expires_at: expires, blocked_at: blocked } = voucher
  const facts = [
    voucher.product_name,
    words.sources[voucher.source],
    words.facts.issued(day(voucher.created_at)),
    expires === null
      ? words.facts.forever
      : (voucher.status === 'expired' ? words.facts.expired : words.facts.expires)(day(expires)),
  ]
  return (
    <>
      <header>
        <div className={classes.state}>
          <Title order={1} size="h2">
            {voucher.masked_code}
          </Title>
          <StatusTag status={voucher.status} />
        </div>
        <p className={classes.facts}>
          {facts.filter(Boolean).map((fact) => (
            <span key={fact} dir="auto">
              {fact}
            </span>
          ))}
        </p>
        {blocked !== null && (
          <p className={classes.notice} role="status" dir="auto">
            <strong>{words.blockedSince(date(blocked, account.time_zone, 'moment'))}</strong>
            <br />
            {voucher.block_reason}
          </p>
        )}
        <Balance voucher={voucher} />
        <VoucherActions voucher={voucher} />
      </header>
      <LookupBar />
      <div className={classes.columns}>
        {voucher.purchase && <Sale purchase={voucher.purchase} />}
        <Ledger entries={voucher.entries} />
      </div>
    </>
  )
}
