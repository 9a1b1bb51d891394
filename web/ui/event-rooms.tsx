import { type ComponentType, createContext, use } from 'react'

/** A room that is about one event, as its home and the navigation lead there. */
export interface EventRoomLink {
  name: string
  label: string
  /** What is done there, in a few words. */
  hint: string
  path: string
  icon: ComponentType<{ size?: number }>
}

const EventRoomsContext = createContext<(slug: string) => readonly EventRoomLink[]>(() => [])

export const EventRoomsProvider = EventRoomsContext

/** The rooms of one event; the frame knows them all. */
export const useEventRooms = (slug: string): readonly EventRoomLink[] => use(EventRoomsContext)(slug)
