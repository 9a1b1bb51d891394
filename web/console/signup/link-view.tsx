import { Anchor, Button, Group, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiRefusal } from '../../api/refusals.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { keepDraft, useDraft } from '../../ui/draft.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { useLatest } from '../../ui/latest.ts'
import { NoTickets } from '../../ui/no-tickets.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { LinkForm } from './link-form.tsx'
import { QrCodeButton, CopyButton, PosterLink, RotationDialog } from './link-tools.tsx'
import { SignupPagePreview } from './preview.tsx'
import { changeLink, createLink, eventQuery, linksQuery, ticketsQuery } from './queries.ts'
import { QuotaBar } from './quota-bar.tsx'
import {
  type LinkSettings,
  type SignupLink,
  type TicketOption,
  changedSettingsOf,
  defaultLinkSettings,
  linkSettingsOf,
  ticketsForLinks,
} from './rules.ts'
import classes from './signup.module.css'
import { signupWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/signup/$link')

/** One link: its settings beside what guests see of them, and its address. */
export const LinkView = () => {
  const words = useWords(signupWords)
  const { slug, link: id } = route.useParams()
  const event = useQuery(eventQuery(slug))
  const links = useQuery(linksQuery(slug))
  const tickets = useQuery(ticketsQuery(slug))
  const isNew = id === 'new'
  const link = links.data?.find(({ public_id }) => public_id === id) ?? null
  usePageTitle(isNew ? words.newLink : (link?.name ?? words.unnamed), event.data?.title)

  const error =
    event.error ?? tickets.error ?? links.error ?? (links.data && !isNew && !link ? new ApiRefusal('not_found') : null)
  const isRead = event.data && tickets.data && links.data
  return (
    <>
      <BackLink to="/events/$slug/signup" params={{ slug }}>
        {words.back}
      </BackLink>
      {error && !(isRead && (isNew || link)) && (
        <ErrorState
          level={1}
          error={error}
          onRetry={() => void Promise.all([event.refetch(), links.refetch(), tickets.refetch()])}
        />
      )}
      {!error && !isRead && <LoadingRows rows={3} height={96} />}
      {isRead && isNew && ticketsForLinks(tickets.data).length === 0 && (
        <NoTickets slug={slug} level={1} title={words.noTickets}>
          {words.noTicketsMore}
        </NoTickets>
      )}
      {isRead && (link || (isNew && ticketsForLinks(tickets.data).length > 0)) && (
        <LinkEditor key={id} slug={slug} link={link} tickets={tickets.data} />
      )}
    </>
  )
}

interface LinkEditorProps {
  slug: string
  link: SignupLink | null
  tickets: readonly TicketOption[]
}

const LinkEditor = ({ slug, link, tickets }: LinkEditorProps) => {
  const words = useWords(signupWords)
  const before = link ? linkSettingsOf(link) : defaultLinkSettings(tickets)
  const { settings, change, drop, settle, isChanged } = useSettings(draftName(slug, link), before)
  const saving = useSaving(slug, link, settle)
  const save = () => {
    if (!saving.isPending && (isChanged || !link)) saving.mutate({ before, settings })
  }
  useShortcuts([{ keys: 'mod+s', label: words.keys.save, run: save, whileTyping: true }])

  return (
    <>
      <Title order={1} size="h2" dir="auto">
        {link ? (link.name ?? words.unnamed) : words.newLink}
      </Title>
      <div className={classes.columns}>
        <div>
          {link && <QuotaBar link={link} />}
          <form
            className={classes.form}
            noValidate
            onSubmit={(submission) => {
              submission.preventDefault()
              save()
            }}
          >
            <LinkForm
              settings={settings}
              tickets={tickets}
              faults={saving.isError ? faultsByField(saving.error) : {}}
              onChange={(changed) => {
                change(changed)
                if (saving.isError) saving.reset()
              }}
            />
            {saving.isError && (
              <Text c="var(--bad)" role="alert">
                {refusalSentence(saving.error)}
              </Text>
            )}
            <div className={classes.foot}>
              {link && isChanged && (
                <>
                  <span className={classes.quiet}>{words.unsaved}</span>
                  <Button variant="default" onClick={() => drop()}>
                    {words.discard}
                  </Button>
                </>
              )}
              <Button type="submit" loading={saving.isPending} disabled={link !== null && !isChanged}>
                {link ? words.save : words.create}
              </Button>
            </div>
          </form>
          {link && <Address slug={slug} link={link} />}
        </div>
        <SignupPagePreview slug={slug} settings={settings} />
      </div>
    </>
  )
}

const draftName = (slug: string, link: SignupLink | null) => `signup link ${slug} ${link?.public_id ?? 'new'}`

const draftOf = (changes: Partial<LinkSettings>) => (Object.keys(changes).length === 0 ? '' : JSON.stringify(changes))

/** What is typed is kept in the tab until it is saved or discarded. */
const useSettings = (name: string, before: LinkSettings) => {
  const [draft, setDraft, drop] = useDraft(name)
  const changes = draft === '' ? {} : (JSON.parse(draft) as Partial<LinkSettings>)
  const settings = { ...before, ...changes }
  const now = useLatest(settings)
  const change = (changed: Partial<LinkSettings>) =>
    setDraft(draftOf(changedSettingsOf(before, { ...settings, ...changed })))
  /** What was typed since it was sent stays, with what it has become. */
  const settle = (sent: LinkSettings, savedName: string) => {
    const since = draftOf(changedSettingsOf(sent, now.current))
    drop()
    if (savedName === name) setDraft(since)
    else keepDraft(savedName, since)
  }
  return { settings, change, drop, settle, isChanged: Object.keys(changes).length > 0 }
}

const useSaving = (slug: string, link: SignupLink | null, settle: (sent: LinkSettings, savedName: string) => void) => {
  const words = useWords(signupWords)
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ before, settings }: { before: LinkSettings; settings: LinkSettings }) =>
      link ? changeLink(slug, link.public_id, changedSettingsOf(before, settings)) : createLink(slug, settings),
    onSuccess: async (saved, { settings: sent }) => {
      showToast(link ? words.saved : words.created)
      if (!link) await queries.invalidateQueries({ queryKey: linksQuery(slug).queryKey })
      settle(sent, draftName(slug, saved))
      if (!link) {
        await navigate({ to: '/events/$slug/signup/$link', params: { slug, link: saved.public_id }, replace: true })
        return
      }
      queries.setQueryData(
        linksQuery(slug).queryKey,
        (known) =>
          known && { ...known, forms: known.forms.map((form) => (form.public_id === link.public_id ? saved : form)) },
      )
      // Not waited for: what was typed meanwhile may be saved at once.
      void queries.invalidateQueries({ queryKey: linksQuery(slug).queryKey })
    },
  })
}

const Address = ({ slug, link }: { slug: string; link: SignupLink }) => {
  const words = useWords(signupWords)
  const [isRotating, setIsRotating] = useState(false)
  return (
    <section className={classes.address} aria-label={words.address}>
      <Title order={2} size="lg">
        {words.address}
      </Title>
      <Anchor href={link.public_url} target="_blank" rel="noreferrer">
        {link.public_url}
      </Anchor>
      <Group gap="xs">
        <CopyButton link={link} />
        <QrCodeButton link={link} />
        <PosterLink slug={slug} link={link} />
        <Button size="compact-md" variant="default" onClick={() => setIsRotating(true)}>
          {words.rotate}
        </Button>
      </Group>
      {isRotating && <RotationDialog slug={slug} link={link} onClose={() => setIsRotating(false)} />}
    </section>
  )
}
