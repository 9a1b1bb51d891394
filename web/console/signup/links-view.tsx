import { Badge, Button, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { BackLink } from '../../ui/back-link.tsx'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import { QrCodeButton, CopyButton, PosterLink } from './link-tools.tsx'
import { eventQuery, linksQuery, ticketsQuery } from './queries.ts'
import { QuotaBar } from './quota-bar.tsx'
import type { SignupLink } from './rules.ts'
import classes from './signup.module.css'
import { signupWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/signup')

/** Where guests can put themselves on the list of an event. */
export const LinksView = () => {
  const words = useWords(signupWords)
  const { slug } = route.useParams()
  const event = useQuery(eventQuery(slug))
  const links = useQuery(linksQuery(slug))
  const tickets = useQuery(ticketsQuery(slug))
  const navigate = useNavigate()
  usePageTitle(words.links, event.data?.title)
  useShortcuts([
    {
      keys: 'n',
      label: words.keys.new,
      run: () => void navigate({ to: '/events/$slug/signup/$link', params: { slug, link: 'new' } }),
    },
  ])

  return (
    <>
      <BackLink to="/events/$slug" params={{ slug }}>
        <span dir="auto">{event.data?.title ?? slug}</span>
      </BackLink>
      <Group justify="space-between" mb="md">
        <Title order={1} size="h2">
          {words.links}
        </Title>
        {links.data && links.data.length > 0 && <NewLinkButton slug={slug} />}
      </Group>
      {links.isPending && <LoadingRows rows={3} height={110} />}
      {links.isError && !links.data && <ErrorState error={links.error} onRetry={() => void links.refetch()} />}
      {links.data?.length === 0 && (
        <EmptyState title={words.none} action={<NewLinkButton slug={slug} />}>
          {words.noneMore}
        </EmptyState>
      )}
      {links.data && links.data.length > 0 && (
        <VirtualList
          items={links.data}
          keyOf={({ public_id }) => public_id}
          label={words.list}
          estimate={128}
          renderRow={(link) => (
            <LinkRow
              slug={slug}
              link={link}
              ticket={tickets.data?.find(({ id }) => id === link.ticket_id)?.title ?? null}
            />
          )}
        />
      )}
    </>
  )
}

const NewLinkButton = ({ slug }: { slug: string }) => {
  const words = useWords(signupWords)
  return (
    <Button renderRoot={(props) => <Link to="/events/$slug/signup/$link" params={{ slug, link: 'new' }} {...props} />}>
      {words.newLink}
    </Button>
  )
}

const LinkRow = ({ slug, link, ticket }: { slug: string; link: SignupLink; ticket: string | null }) => {
  const words = useWords(signupWords)
  return (
    <article className={classes.linkRow}>
      <div className={classes.linkHead}>
        <Link
          to="/events/$slug/signup/$link"
          params={{ slug, link: link.public_id }}
          className={classes.linkName}
          dir="auto"
        >
          {link.name ?? words.unnamed}
        </Link>
        {!link.enabled && (
          <Badge color="warn" variant="light" tt="none" radius="sm">
            {words.off}
          </Badge>
        )}
        <span className={classes.facts}>
          <span>{link.approval_mode === 'manual' ? words.manual : words.automatic}</span>
          <span>{words.companions(link.max_companions)}</span>
          {ticket !== null && <span dir="auto">{ticket}</span>}
        </span>
      </div>
      <QuotaBar link={link} />
      <Group gap="xs" className={classes.linkTools}>
        <CopyButton link={link} />
        <QrCodeButton link={link} />
        <PosterLink slug={slug} link={link} />
        <Link to="/events/$slug/requests" params={{ slug }} search={{ link: link.public_id }}>
          {words.requests}
        </Link>
      </Group>
    </article>
  )
}
