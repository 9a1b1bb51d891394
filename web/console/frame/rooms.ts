import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { CalendarIcon } from '../../ui/icons.tsx'
import type { PaletteItem } from '../../ui/palette.tsx'
import type { Language } from '../../ui/words.ts'

/** What a room tells the palette, so that its things are found from anywhere. */
export interface RoomPalette {
  findItems: (
    text: string,
    context: { queries: QueryClient; language: Language; go: (path: string) => void },
  ) => Promise<readonly PaletteItem[]>
}

export interface Room {
  name: 'events'
  path: '/events'
  /** After `g`. */
  key: string
  icon: ComponentType<{ size?: number }>
  /** Loaded when the palette is first opened. */
  palette: () => Promise<RoomPalette>
}

/** The rooms of the console in the order of the navigation. A new room is an entry here and a route. */
export const ROOMS: readonly Room[] = [
  { name: 'events', path: '/events', key: 'e', icon: CalendarIcon, palette: () => import('../events/palette.ts') },
]
