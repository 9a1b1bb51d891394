import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { commonWords } from './common-words.ts'
import { isManager, useSession } from './session.tsx'
import { EmptyState } from './states.tsx'
import { useWords } from './words.ts'

interface NoTicketsProps {
  slug: string
  title: string
  level?: 1 | 2
  children: ReactNode
}

/** Where a ticket of an event is needed and there is none: whoever may set some up is led there. */
export const NoTickets = ({ slug, children, ...state }: NoTicketsProps) => {
  const words = useWords(commonWords)
  const { role } = useSession()
  const path = `/events/${encodeURIComponent(slug)}/setup/tickets`
  return (
    <EmptyState
      {...state}
      action={
        isManager(role) && <Button renderRoot={(props) => <Link to={path} {...props} />}>{words.setUpTickets}</Button>
      }
    >
      {children}
    </EmptyState>
  )
}
