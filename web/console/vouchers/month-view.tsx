import { Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import type { Schemas } from '../../api/client.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { useSession } from '../../ui/session.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { useMonthName } from './month-name.ts'
import { monthWords } from './month-words.ts'
import { monthsExportPath, monthsQuery } from './queries.ts'
import { MONTH_LINES, type Month, addsUp, moveMonth, signed } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const route = getRouteApi('/frame/vouchers/month')
const MonthPlot = lazy(() => import('./month-plot.tsx'))

type Months = Schemas['VoucherMonths']

const SHOWN = 12

/** The month for the accountant: what was there, what came, what went, and what is left. */
export const MonthView = () => {
  const words = useWords(monthWords)
  const { back, title } = useWords(voucherWords)
  const { account } = useSession()
  const { month } = route.useSearch()
  const query = useQuery({
    ...monthsQuery(month === undefined ? {} : { from: moveMonth(month, 1 - SHOWN), to: month }),
    placeholderData: (before) => before,
  })
  usePageTitle(words.title, title)
  const city = account.time_zone.split('/').at(-1)!.replaceAll('_', ' ')
  return (
    <>
      <BackLink to="/vouchers">{back}</BackLink>
      <header className={classes.head}>
        <Title order={1} size="h2">
          {words.title}
        </Title>
        {query.data && <Tools months={query.data} />}
      </header>
      <Text c="dimmed" maw="44rem" mt="xs">
        {words.intro(city)}
      </Text>
      {query.isPending && <LoadingRows rows={6} height={40} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <>
          <MonthStatement months={query.data} />
          <Suspense fallback={<div className={classes.plot} />}>
            <MonthPlot months={query.data} />
          </Suspense>
          <MonthTable months={query.data} />
          <p className={classes.quiet}>{words.expiredHint}</p>
        </>
      )}
    </>
  )
}

const useIsOver = () => {
  const { dayKey } = useFormat()
  const { account } = useSession()
  return (month: string) => month < dayKey(new Date(), account.time_zone).slice(0, 7)
}

const Tools = ({ months: { from, to } }: { months: Months }) => {
  const words = useWords(monthWords)
  const isOver = useIsOver()
  const step = (by: number) => ({ to: '/vouchers/month', search: { month: moveMonth(to, by) } }) as const
  return (
    <div className={classes.tools}>
      <Button variant="default" renderRoot={(props) => <Link {...step(-1)} {...props} />}>
        {words.earlier}
      </Button>
      {isOver(to) && (
        <Button variant="default" renderRoot={(props) => <Link {...step(1)} {...props} />}>
          {words.later}
        </Button>
      )}
      <Button variant="default" onClick={() => window.print()}>
        {words.print}
      </Button>
      <Button component="a" href={monthsExportPath({ from, to })} download variant="default">
        {words.save}
      </Button>
    </div>
  )
}

/** The last of the months that are shown, line by line. */
const MonthStatement = ({ months: { months, currency } }: { months: Months }) => {
  const words = useWords(monthWords)
  const { money } = useFormat()
  const nameOf = useMonthName()
  const isOver = useIsOver()
  const month = months.at(-1)!
  const name = nameOf(month.month)
  return (
    <section aria-label={name}>
      <Title order={2} size="lg" mt="lg">
        {name}
      </Title>
      <dl className={classes.balance}>
        {MONTH_LINES.map(([line, sign]) => (
          <div key={line} data-strong={line === 'closing' || line === 'opening' || undefined}>
            <dt>{words.lines[line]}</dt>
            <dd>{money(signed(month[line], sign), currency)}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" c={addsUp(month, currency) ? 'dimmed' : 'bad'} mt="xs">
        {[addsUp(month, currency) ? words.addsUp : words.doesNotAddUp, !isOver(month.month) && words.notOver]
          .filter(Boolean)
          .join(' ')}
      </Text>
    </section>
  )
}

const MonthTable = ({ months: { months, currency } }: { months: Months }) => {
  const words = useWords(monthWords)
  return (
    // Wider than a phone: it is walked through with the keyboard, too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.scroll} aria-label={words.table} tabIndex={0}>
      <table className={classes.months}>
        <thead>
          <tr>
            <th scope="col">{words.month}</th>
            {MONTH_LINES.map(([line]) => (
              <th key={line} scope="col">
                {words.lines[line]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map((month, at) => (
            <MonthRow key={month.month} month={month} currency={currency} isShown={at === 0} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

const MonthRow = ({ month, currency, isShown }: { month: Month; currency: string; isShown: boolean }) => {
  const { money } = useFormat()
  const nameOf = useMonthName()
  return (
    <tr aria-current={isShown ? 'true' : undefined}>
      <th scope="row">
        <Link to="/vouchers/month" search={{ month: month.month }}>
          {nameOf(month.month)}
        </Link>
      </th>
      {MONTH_LINES.map(([line, sign]) => (
        <td key={line}>{money(signed(month[line], sign), currency)}</td>
      ))}
    </tr>
  )
}
