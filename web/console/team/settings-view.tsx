import { Anchor, Button, Select, Switch, Text, TextInput, Textarea, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { useEdit } from '../../ui/form/edit.ts'
import { FormFooter } from '../../ui/form/form-end.tsx'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { useSession } from '../../ui/session.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { PaymentMethods } from './payment-methods.tsx'
import { type AccountChanges, accountQuery, changeAccount, walletQuery } from './queries.ts'
import { settingsWords } from './settings-words.ts'
import classes from './team.module.css'
import { teamWords } from './words.ts'

/** What holds for the whole venue. Owners change it; managers see it. */
export const SettingsView = () => {
  const words = useWords(settingsWords)
  const { role } = useSession()
  const account = useQuery(accountQuery)
  usePageTitle(words.settings, useWords(teamWords).team)
  if (account.isPending) return <LoadingRows />
  if (!account.data) return <ErrorState error={account.error} onRetry={() => void account.refetch()} />
  const isOwner = role === 'owner'
  return (
    <>
      {!isOwner && <p className={classes.quiet}>{words.ownersOnly}</p>}
      <AccountForm account={account.data} isOwner={isOwner} />
      {isOwner && <PaymentMethods />}
      <WalletState />
      {isOwner && <WholeVenue />}
    </>
  )
}

interface AccountValues {
  name: string
  currency: string
  time_zone: string
  language: 'en' | 'de'
  reply_to_email: string
  shop_published: boolean
  /** One in a line. */
  custom_domains: string
}

const valuesOf = (account: Schemas['Account']): AccountValues => ({
  name: account.name,
  currency: account.currency,
  time_zone: account.time_zone,
  language: account.language,
  reply_to_email: account.reply_to_email ?? '',
  shop_published: account.shop_published,
  custom_domains: account.custom_domains.join('\n'),
})

const changesOf = (values: AccountValues, changed: readonly (keyof AccountValues)[]): AccountChanges => {
  const all: AccountChanges = {
    ...values,
    reply_to_email: values.reply_to_email === '' ? null : values.reply_to_email,
    custom_domains: values.custom_domains.split(/\s+/).filter((domain) => domain !== ''),
  }
  return Object.fromEntries(changed.map((key) => [key, all[key]]))
}

const TIME_ZONES = Intl.supportedValuesOf('timeZone')

const AccountForm = ({ account, isOwner }: { account: Schemas['Account']; isOwner: boolean }) => {
  const words = useWords(settingsWords)
  const queries = useQueryClient()
  const edit = useEdit<AccountValues>({
    name: 'account',
    value: valuesOf(account),
    version: 0,
    save: async (values, changed) => {
      const saved = await changeAccount(changesOf(values, changed))
      queries.setQueryData(accountQuery.queryKey, saved)
      showToast(words.saved)
    },
  })
  const { value, set, faults } = edit
  const text = (key: 'name' | 'currency' | 'reply_to_email') => ({
    label: words[key],
    value: value[key],
    onChange: (event: { currentTarget: { value: string } }) => set(key, event.currentTarget.value),
    error: faults[key],
    readOnly: !isOwner,
    autoComplete: 'off',
  })
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(submission) => {
        submission.preventDefault()
        void edit.save()
      }}
    >
      <Title order={2} size="lg">
        {words.venue}
      </Title>
      <TextInput {...text('name')} />
      <TextInput {...text('currency')} description={words.currencyHint} />
      <Select
        label={words.time_zone}
        value={value.time_zone}
        onChange={(zone) => set('time_zone', zone ?? value.time_zone)}
        data={TIME_ZONES.includes(value.time_zone) ? TIME_ZONES : [value.time_zone, ...TIME_ZONES]}
        searchable
        limit={50}
        allowDeselect={false}
        readOnly={!isOwner}
        error={faults['time_zone']}
      />
      <Select
        label={words.language}
        value={value.language}
        onChange={(language) => set('language', language === 'de' ? 'de' : 'en')}
        data={(['en', 'de'] as const).map((each) => ({ value: each, label: words.languages[each] }))}
        allowDeselect={false}
        readOnly={!isOwner}
        error={faults['language']}
      />
      <TextInput {...text('reply_to_email')} type="email" />
      <Title order={2} size="lg" mt="md">
        {words.shop}
      </Title>
      <Text size="sm">
        {words.shopAddress}:{' '}
        <Anchor href={account.shop_url} target="_blank" rel="noreferrer">
          {account.shop_url}
        </Anchor>
      </Text>
      <Switch
        label={words.shop_published}
        checked={value.shop_published}
        onChange={(event) => set('shop_published', event.currentTarget.checked)}
        disabled={!isOwner}
        error={faults['shop_published']}
      />
      {account.shop_published && !value.shop_published && <Text c="var(--warn)">{words.shopClosing}</Text>}
      <Textarea
        label={words.custom_domains}
        description={words.custom_domainsHint}
        value={value.custom_domains}
        onChange={(event) => set('custom_domains', event.currentTarget.value)}
        autosize
        minRows={2}
        readOnly={!isOwner}
        error={faults['custom_domains']}
      />
      {isOwner && <FormFooter edit={edit} nameOf={(key) => (words as unknown as Record<string, string>)[key] ?? key} />}
    </form>
  )
}

const WalletState = () => {
  const words = useWords(settingsWords)
  const { date } = useFormat()
  const { account } = useSession()
  const query = useQuery(walletQuery)
  if (!query.data) return null
  const { apple, google } = query.data
  const day = apple && date(apple.ends_at, account.time_zone, 'dayAndYear')
  return (
    <section className={classes.section} aria-label={words.wallet}>
      <Title order={2} size="lg" mt="xl">
        {words.wallet}
      </Title>
      <dl className={classes.roles}>
        <div>
          <dt>{words.apple}</dt>
          <dd>{apple ? words.signedBy[apple.signed_by] : words.notOffered}</dd>
          {apple && day && (
            <dd className={apple.warning_days === null ? undefined : classes.urgent}>
              {apple.warning_days === null ? words.endsAt(day) : words.endsSoon(day)}
            </dd>
          )}
        </div>
        <div>
          <dt>{words.google}</dt>
          <dd>{google ? words.signedBy[google.signed_by] : words.notOffered}</dd>
        </div>
      </dl>
    </section>
  )
}

const WholeVenue = () => {
  const words = useWords(settingsWords)
  return (
    <section className={classes.section} aria-label={words.everything}>
      <Title order={2} size="lg">
        {words.everything}
      </Title>
      <p className={classes.quiet}>{words.everythingMore}</p>
      <div>
        <Button variant="default" component="a" href="/admin/export" download>
          {words.export}
        </Button>
      </div>
    </section>
  )
}
