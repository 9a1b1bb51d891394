import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Role } from '../../api/session.ts'
import {
  BellIcon,
  BoardIcon,
  CalendarIcon,
  CartIcon,
  GiftIcon,
  InboxIcon,
  LinkIcon,
  ListIcon,
  PersonIcon,
  ThemeIcon,
} from '../../ui/icons.tsx'
import type { PaletteItem } from '../../ui/palette.tsx'
import type { Language } from '../../ui/words.ts'

export interface PaletteContext {
  queries: QueryClient
  language: Language
  go: (path: string) => void
  /** The event whose room is open. */
  slug: string | null
}

/** What a room tells the palette, so that its things are found from anywhere. */
export interface RoomPalette {
  findItems: (text: string, context: PaletteContext) => Promise<readonly PaletteItem[]>
}

/** Loaded when the palette is first opened. */
type LoadPalette = () => Promise<RoomPalette>

export interface NavigationRoom {
  name: 'events' | 'tasks' | 'inbox' | 'vouchers' | 'team'
  path: '/events' | '/tasks' | '/inbox' | '/vouchers' | '/team'
  /** After `g`. */
  key: string
  icon: ComponentType<{ size?: number }>
  /** Who is shown the way to it. */
  roles: readonly Role[]
}

const ORGANIZERS: readonly Role[] = ['owner', 'manager', 'co_organizer']
const MANAGERS: readonly Role[] = ['owner', 'manager']

/** The rooms of the console in the order of the navigation. A new room is an entry here and a route. */
export const ROOMS: readonly NavigationRoom[] = [
  { name: 'events', path: '/events', key: 'e', icon: CalendarIcon, roles: ORGANIZERS },
  { name: 'tasks', path: '/tasks', key: 't', icon: BoardIcon, roles: ORGANIZERS },
  { name: 'inbox', path: '/inbox', key: 'i', icon: BellIcon, roles: ORGANIZERS },
  { name: 'vouchers', path: '/vouchers', key: 'v', icon: GiftIcon, roles: MANAGERS },
  { name: 'team', path: '/team', key: 'm', icon: PersonIcon, roles: MANAGERS },
]

export interface EventRoom {
  name: 'guests' | 'night' | 'requests' | 'signup' | 'orders'
  path:
    | '/events/$slug/guests'
    | '/events/$slug/night'
    | '/events/$slug/requests'
    | '/events/$slug/signup'
    | '/events/$slug/orders'
  /** After `g`, within the event. */
  key: string
  icon: ComponentType<{ size?: number }>
}

/** The rooms that are about one event, shown while one is open and on its home. */
export const EVENT_ROOMS: readonly EventRoom[] = [
  { name: 'night', path: '/events/$slug/night', key: 'n', icon: ThemeIcon },
  { name: 'guests', path: '/events/$slug/guests', key: 'l', icon: ListIcon },
  { name: 'requests', path: '/events/$slug/requests', key: 'r', icon: InboxIcon },
  { name: 'signup', path: '/events/$slug/signup', key: 's', icon: LinkIcon },
  { name: 'orders', path: '/events/$slug/orders', key: 'o', icon: CartIcon },
]

export const pathOfEvent = (path: string, slug: string) => path.replace('$slug', encodeURIComponent(slug))

export interface PaletteProvider {
  /** The heading above what it finds, from the words of the frame. */
  group: 'events' | 'guests' | 'orders' | 'people' | 'tasks' | 'vouchers'
  roles: readonly Role[]
  palette: LoadPalette
}

/** Where the palette looks, in the order of its groups. A room that has things to find is an entry here. */
export const PALETTE_PROVIDERS: readonly PaletteProvider[] = [
  { group: 'events', roles: ORGANIZERS, palette: () => import('../events/palette.ts') },
  { group: 'guests', roles: ORGANIZERS, palette: () => import('../guest-list/palette.ts') },
  { group: 'orders', roles: ORGANIZERS, palette: () => import('../orders/palette.ts') },
  { group: 'tasks', roles: ORGANIZERS, palette: () => import('../tasks/palette.ts') },
  { group: 'people', roles: MANAGERS, palette: () => import('../team/palette.ts') },
  { group: 'vouchers', roles: MANAGERS, palette: () => import('../vouchers/palette.ts') },
]

/** What stands in no navigation and can be done from the palette all the same, by those who may set up. */
export const loadSetUpPalette = (): Promise<RoomPalette> => import('../setting-up/palette.ts')
