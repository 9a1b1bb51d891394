import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { Frame } from './frame.tsx'
import { NotFoundView } from './not-found.tsx'
import { SignedInView } from './signed-in.tsx'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  notFoundComponent: NotFoundView,
})

const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame })

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/events', replace: true })
  },
})

const SHOWN = ['coming', 'past', 'archived'] as const
type Shown = (typeof SHOWN)[number]

/** What is looked for and which part of the list is shown stand in the address; what is usual is left out. */
interface EventsSearch {
  show?: Exclude<Shown, 'coming'>
  text?: string
}

const events = createRoute({
  getParentRoute: () => frame,
  path: '/events',
  validateSearch: ({ show, text }: Record<string, unknown>): EventsSearch => ({
    ...((show === 'past' || show === 'archived') && { show }),
    ...(typeof text === 'string' && text !== '' && { text: text.slice(0, 200) }),
  }),
  component: lazyRouteComponent(() => import('../events/events-view.tsx'), 'EventsView'),
})

const event = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug',
  component: lazyRouteComponent(() => import('../events/event-view.tsx'), 'EventView'),
})

const signedIn = createRoute({ getParentRoute: () => root, path: '/signed-in', component: SignedInView })

const routes = root.addChildren([frame.addChildren([home, events, event]), signedIn])

export const openRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: routes,
    basepath: '/console',
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundView,
    defaultErrorComponent: ({ error, reset }) => <ErrorState level={1} error={error} onRetry={reset} />,
    defaultPendingComponent: () => <LoadingRows />,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>
  }
}
