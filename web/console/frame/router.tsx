import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { LoadingRows } from '../../ui/states.tsx'
import { guestListQuery } from '../guest-list/list-query.ts'
import { validateOrdersSearch } from '../orders/orders-search.ts'
import { readAuditSearch } from '../team/audit-search.ts'
import { validateBoardSearch } from '../tasks/board-search.ts'
import { Frame } from './frame.tsx'
import { NotFoundView } from './not-found.tsx'
import { SignedInView } from './signed-in.tsx'
import { ViewError } from './view-error.tsx'

const root = createRootRouteWithContext<{ queries: QueryClient }>()()

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

const newEvent = createRoute({
  getParentRoute: () => frame,
  path: '/new-event',
  component: lazyRouteComponent(() => import('../setting-up/new-event-view.tsx'), 'NewEventView'),
})

const setup = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug/setup',
  component: lazyRouteComponent(() => import('../setting-up/setup-frame.tsx'), 'SetupFrame'),
})

/** Which of the parts is open; its ID, or `new`. */
const validateEdited = ({ edit }: Record<string, unknown>): { edit?: string } => {
  const edited = typeof edit === 'number' || typeof edit === 'string' ? String(edit) : ''
  return /^(new|\d{1,15})$/.test(edited) ? { edit: edited } : {}
}

const setupDetails = createRoute({
  getParentRoute: () => setup,
  path: '/',
  component: lazyRouteComponent(() => import('../setting-up/details-view.tsx'), 'DetailsView'),
})

const setupTickets = createRoute({
  getParentRoute: () => setup,
  path: 'tickets',
  validateSearch: validateEdited,
  component: lazyRouteComponent(() => import('../setting-up/tickets-view.tsx'), 'TicketsView'),
})

const setupAreas = createRoute({
  getParentRoute: () => setup,
  path: 'areas',
  validateSearch: validateEdited,
  component: lazyRouteComponent(() => import('../setting-up/areas-view.tsx'), 'AreasView'),
})

const setupSeats = createRoute({
  getParentRoute: () => setup,
  path: 'seats',
  component: lazyRouteComponent(() => import('../setting-up/seats-view.tsx'), 'SeatsView'),
})

const setupQuestions = createRoute({
  getParentRoute: () => setup,
  path: 'questions',
  validateSearch: validateEdited,
  component: lazyRouteComponent(() => import('../setting-up/questions-view.tsx'), 'QuestionsView'),
})

const setupPublish = createRoute({
  getParentRoute: () => setup,
  path: 'publish',
  component: lazyRouteComponent(() => import('../setting-up/publish-view.tsx'), 'PublishView'),
})

const setupParts = setup.addChildren([setupDetails, setupTickets, setupAreas, setupSeats, setupQuestions, setupPublish])

/** Which requests, and those of which link; what is usual is left out. */
interface RequestsSearch {
  status?: 'approved' | 'rejected'
  link?: string
  text?: string
}

const requests = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug/requests',
  validateSearch: ({ status, link, text }: Record<string, unknown>): RequestsSearch => ({
    ...((status === 'approved' || status === 'rejected') && { status }),
    ...(typeof link === 'string' && link !== '' && { link: link.slice(0, 100) }),
    ...(typeof text === 'string' && text !== '' && { text: text.slice(0, 200) }),
  }),
  component: lazyRouteComponent(() => import('../requests/requests-view.tsx'), 'RequestsView'),
})

const signupLinks = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug/signup',
  component: lazyRouteComponent(() => import('../signup/links-view.tsx'), 'LinksView'),
})

const signupLink = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug/signup/$link',
  component: lazyRouteComponent(() => import('../signup/link-view.tsx'), 'LinkView'),
})

/** What is looked for among the guests; what is usual is left out. */
interface GuestsSearch {
  show?: 'expected' | 'arrived' | 'all'
  text?: string
  ticket?: number
  add?: boolean
}

const guests = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug/guests',
  validateSearch: ({ show, text, ticket, add }: Record<string, unknown>): GuestsSearch => ({
    ...((show === 'expected' || show === 'arrived') && { show }),
    ...(typeof text === 'string' && text !== '' && { text: text.slice(0, 200) }),
    ...(typeof text === 'number' && { text: String(text) }),
    ...(typeof ticket === 'number' && Number.isSafeInteger(ticket) && { ticket }),
    ...((add === true || add === 1) && { add: true }),
  }),
  // The list is asked for while the code is on its way, and not again when only the search changes.
  loader: ({ context: { queries }, params: { slug }, cause }) => {
    if (cause === 'stay') return
    void queries.prefetchQuery(guestListQuery(slug))
  },
  component: lazyRouteComponent(() => import('../guest-list/guest-list-view.tsx'), 'GuestListView'),
})

const night = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug/night',
  component: lazyRouteComponent(() => import('../night/night-view.tsx'), 'NightView'),
})

const nightReport = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug/night/report',
  component: lazyRouteComponent(() => import('../night/report-view.tsx'), 'ReportView'),
})

const guestImport = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug/guests/import',
  validateSearch: ({ id }: Record<string, unknown>): { id?: string } =>
    typeof id === 'string' && /^\w{1,64}$/.test(id) ? { id } : {},
  component: lazyRouteComponent(() => import('../guest-list/import-view.tsx'), 'ImportView'),
})

const guestParty = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug/guests/$party',
  component: lazyRouteComponent(() => import('../guest-list/party-view.tsx'), 'PartyView'),
})

const team = createRoute({
  getParentRoute: () => frame,
  path: '/team',
  component: lazyRouteComponent(() => import('../team/team-frame.tsx'), 'TeamFrame'),
})

const teamMembers = createRoute({
  getParentRoute: () => team,
  path: '/',
  component: lazyRouteComponent(() => import('../team/members-view.tsx'), 'MembersView'),
})

const teamDevices = createRoute({
  getParentRoute: () => team,
  path: 'devices',
  component: lazyRouteComponent(() => import('../team/devices-view.tsx'), 'DevicesView'),
})

const teamTokens = createRoute({
  getParentRoute: () => team,
  path: 'tokens',
  component: lazyRouteComponent(() => import('../team/tokens-view.tsx'), 'TokensView'),
})

const teamWebhooks = createRoute({
  getParentRoute: () => team,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('../team/webhooks-view.tsx'), 'WebhooksView'),
})

const teamWebhook = createRoute({
  getParentRoute: () => team,
  path: 'webhooks/$id',
  component: lazyRouteComponent(() => import('../team/webhook-view.tsx'), 'WebhookView'),
})

const teamLog = createRoute({
  getParentRoute: () => team,
  path: 'log',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('../team/log-view.tsx'), 'LogView'),
})

const teamSettings = createRoute({
  getParentRoute: () => team,
  path: 'settings',
  component: lazyRouteComponent(() => import('../team/settings-view.tsx'), 'SettingsView'),
})

const teamParts = team.addChildren([
  teamMembers,
  teamDevices,
  teamTokens,
  teamWebhooks,
  teamWebhook,
  teamLog,
  teamSettings,
])

const ownAccount = createRoute({
  getParentRoute: () => frame,
  path: '/me',
  component: lazyRouteComponent(() => import('../team/own-account-view.tsx'), 'OwnAccountView'),
})

const orders = createRoute({
  getParentRoute: () => frame,
  path: '/events/$slug/orders',
  validateSearch: validateOrdersSearch,
  component: lazyRouteComponent(() => import('../orders/orders-view.tsx'), 'OrdersView'),
})

const order = createRoute({
  getParentRoute: () => frame,
  path: '/orders/$order',
  component: lazyRouteComponent(() => import('../orders/order-view.tsx'), 'OrderView'),
})

const VOUCHER_STATUSES = ['active', 'blocked', 'expired', 'depleted'] as const

const vouchers = createRoute({
  getParentRoute: () => frame,
  path: '/vouchers',
  validateSearch: ({ status, issue }: Record<string, unknown>): VouchersSearch => {
    const known = VOUCHER_STATUSES.find((each) => each === status)
    return { ...(known && { status: known }), ...((issue === true || issue === 1) && { issue: true }) }
  },
  component: lazyRouteComponent(() => import('../vouchers/desk-view.tsx'), 'DeskView'),
})

interface VouchersSearch {
  status?: (typeof VOUCHER_STATUSES)[number]
  issue?: boolean
}

const voucher = createRoute({
  getParentRoute: () => frame,
  path: '/vouchers/$voucher',
  component: lazyRouteComponent(() => import('../vouchers/voucher-view.tsx'), 'VoucherView'),
})

const voucherProducts = createRoute({
  getParentRoute: () => frame,
  path: '/vouchers/products',
  validateSearch: ({ edit }: Record<string, unknown>): { edit?: string } =>
    typeof edit === 'string' && /^\w{1,64}$/.test(edit) ? { edit } : {},
  component: lazyRouteComponent(() => import('../vouchers/products-view.tsx'), 'ProductsView'),
})

const voucherImport = createRoute({
  getParentRoute: () => frame,
  path: '/vouchers/import',
  validateSearch: ({ id }: Record<string, unknown>): { id?: string } =>
    typeof id === 'string' && /^\w{1,64}$/.test(id) ? { id } : {},
  component: lazyRouteComponent(() => import('../vouchers/import-view.tsx'), 'ImportView'),
})

const voucherMonths = createRoute({
  getParentRoute: () => frame,
  path: '/vouchers/month',
  validateSearch: ({ month }: Record<string, unknown>): { month?: string } =>
    typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? { month } : {},
  component: lazyRouteComponent(() => import('../vouchers/month-view.tsx'), 'MonthView'),
})

const tasks = createRoute({
  getParentRoute: () => frame,
  path: '/tasks',
  validateSearch: validateBoardSearch,
  component: lazyRouteComponent(() => import('../tasks/board-view.tsx'), 'BoardView'),
})

const task = createRoute({
  getParentRoute: () => frame,
  path: '/tasks/$id',
  component: lazyRouteComponent(() => import('../tasks/task-view.tsx'), 'TaskView'),
})

const inbox = createRoute({
  getParentRoute: () => frame,
  path: '/inbox',
  component: lazyRouteComponent(() => import('../notifications/inbox-view.tsx'), 'InboxView'),
})

/** Whatever leads nowhere: the way on stands beside it. */
const nowhere = createRoute({ getParentRoute: () => frame, path: '$', component: NotFoundView })

const signedIn = createRoute({ getParentRoute: () => root, path: '/signed-in', component: SignedInView })

const routes = root.addChildren([
  frame.addChildren([
    home,
    events,
    event,
    guests,
    guestImport,
    guestParty,
    night,
    nightReport,
    newEvent,
    setupParts,
    requests,
    signupLinks,
    signupLink,
    teamParts,
    ownAccount,
    orders,
    order,
    vouchers,
    voucher,
    voucherProducts,
    voucherImport,
    voucherMonths,
    tasks,
    task,
    inbox,
    nowhere,
  ]),
  signedIn,
])

export const openRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: routes,
    basepath: '/console',
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundView,
    defaultErrorComponent: ViewError,
    defaultPendingComponent: () => <LoadingRows />,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof openRouter>
  }
}
