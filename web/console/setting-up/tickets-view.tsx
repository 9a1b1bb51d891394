import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useFormat } from '../../ui/format.ts'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import { partWords } from './part-words.ts'
import { PartsView } from './parts-view.tsx'
import { type Ticket, ticketsQuery } from './queries.ts'
import { TicketEditor } from './ticket-editor.tsx'

const route = getRouteApi('/frame/events/$slug/setup')

export const TicketsView = (): ReactNode => {
  const words = useWords(partWords).tickets
  const { slug } = route.useParams()
  const query = useQuery(ticketsQuery(slug))
  return (
    <PartsView
      query={query}
      words={words}
      nameOf={({ title }) => title}
      renderFacts={(ticket) => <TicketFacts ticket={ticket} />}
      renderForm={(ticket, close) => (
        <TicketEditor key={ticket?.id ?? 'new'} slug={slug} ticket={ticket} close={close} />
      )}
      move={(id, position) =>
        dataOrThrow(
          api.PATCH('/admin/events/{event_slug}/tickets/{id}/position', {
            params: { path: { event_slug: slug, id } },
            body: { position },
          }),
        )
      }
    />
  )
}

const TicketFacts = ({ ticket }: { ticket: Ticket }) => {
  const words = useWords(partWords).tickets
  const { money, number } = useFormat()
  const { account } = useSession()
  const facts = [
    Number(ticket.price) === 0 ? words.free : money(ticket.price, account.currency),
    words.inventoryKinds[ticket.inventory_kind],
    ticket.group_size !== null && words.group(ticket.group_size),
    ticket.stock === null
      ? words.claimedOnly(number(ticket.claimed_count))
      : words.claimed(number(ticket.claimed_count), number(ticket.stock)),
    ticket.hidden && words.hidden,
  ]
  return facts.filter(Boolean).join(' · ')
}
