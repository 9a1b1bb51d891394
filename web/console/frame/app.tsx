import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import type { Session } from '../../api/session.ts'
import { SessionProvider } from '../../ui/session.tsx'
import { openRouter } from './router.tsx'

/** The client repeats what can be repeated, so a query that failed has failed. */
const openQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', staleTime: 10_000, refetchOnWindowFocus: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })

export const App = ({ session }: { session: Session }) => {
  const [queries] = useState(openQueries)
  const [router] = useState(() => openRouter(queries))
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider value={session}>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>
  )
}
