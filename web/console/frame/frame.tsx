import { Burger, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useCallback, useEffect, useState } from 'react'
import type { Role } from '../../api/session.ts'
import { commonWords } from '../../ui/common-words.ts'
import { EventRoomsProvider } from '../../ui/event-rooms.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { useKeyboard, useShortcuts } from '../../ui/keyboard.tsx'
import { ShortcutKeys } from '../../ui/keys.tsx'
import { useSession } from '../../ui/session.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { eventQuery } from '../events/queries.ts'
import { renewPush } from '../notifications/push.ts'
import { UnreadCount } from '../notifications/unread-count.tsx'
import { Banners } from './banners.tsx'
import classes from './frame.module.css'
import { useLiveChanges } from './live-changes.ts'
import { useEventSlug, useNavigateToPath, usePaletteSources } from './palette-sources.ts'
import { PersonButton } from './person-button.tsx'
import { EVENT_ROOMS, ROOMS, pathOfEvent } from './rooms.ts'
import { frameWords } from './words.ts'

const loadPalette = () => import('../../ui/palette.tsx')
const Palette = lazy(loadPalette)
/** After the first page has had the line for itself. */
const PALETTE_PRELOAD_MS = 1_000
const PersonMenu = lazy(() => import('./person-menu.tsx'))

const ORGANIZERS = new Set(['owner', 'manager', 'co_organizer'])

/** What stands around every room: where one is, where one can go, and who one is. */
export const Frame = () => {
  const words = useWords(frameWords)
  const { account, role, membership_id: me } = useSession()
  const [isPaletteOpen, palette] = useDisclosure(false)
  useFrameShortcuts(palette.open)
  const sources = usePaletteSources(isPaletteOpen)
  useEffect(() => {
    // Whoever presses the keys goes on typing at once: the field must be there by then.
    const timer = setTimeout(() => void loadPalette().catch(() => 'loaded when it is opened'), PALETTE_PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])
  const isOrganizer = ORGANIZERS.has(role)
  useLiveChanges(isOrganizer)
  useEffect(() => {
    if (isOrganizer) renewPush(me)
  }, [isOrganizer, me])
  const roomsOf = useCallback(
    (slug: string) =>
      EVENT_ROOMS.map(({ name, path, icon }) => ({
        name,
        label: words[name],
        hint: words.roomHints[name],
        path: pathOfEvent(path, slug),
        icon,
      })),
    [words],
  )

  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        {words.skip}
      </a>
      <Sidebar accountName={account.name} role={role} openPalette={palette.open} />
      <main id="content" tabIndex={-1} className={classes.main}>
        <Banners />
        <div className={classes.content}>
          {isOrganizer ? (
            <EventRoomsProvider value={roomsOf}>
              <Outlet />
            </EventRoomsProvider>
          ) : (
            <EmptyState level={1} title={words.nothingHere} action={<a href="/account">{words.account}</a>}>
              {words.nothingHereMore}
            </EmptyState>
          )}
        </div>
      </main>
      {isPaletteOpen && (
        <Suspense>
          <Palette onClose={palette.close} sources={sources} />
        </Suspense>
      )}
    </div>
  )
}

interface SidebarProps {
  accountName: string
  role: Role
  openPalette: () => void
}

/** Beside the rooms at a desk; on a phone a bar, and the rest behind its button. */
const Sidebar = ({ accountName, role, openPalette }: SidebarProps) => {
  const words = useWords(frameWords)
  const router = useRouter()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => router.subscribe('onBeforeNavigate', () => setIsOpen(false)), [router])

  return (
    <header className={classes.sidebar} data-open={isOpen || undefined}>
      <div className={classes.brand}>
        <Burger
          className={classes.burger}
          opened={isOpen}
          onClick={() => setIsOpen((before) => !before)}
          size="sm"
          aria-label={words.menu}
          aria-expanded={isOpen}
          aria-controls="navigation"
        />
        <Text fw={700} truncate dir="auto">
          {accountName}
        </Text>
        <UnstyledButton className={classes.searchIcon} onClick={openPalette} aria-label={words.search}>
          <SearchIcon size={20} />
        </UnstyledButton>
      </div>
      <nav id="navigation" className={classes.navigation} aria-label={words.navigation}>
        <UnstyledButton className={classes.search} onClick={openPalette}>
          <SearchIcon size={16} />
          <span>{words.search}</span>
          <ShortcutKeys keys="mod+k" />
        </UnstyledButton>
        <ul className={classes.rooms}>
          {ROOMS.filter(({ roles }) => roles.includes(role)).map(({ name, path, icon: Icon }) => (
            <li key={name}>
              <Link
                to={path}
                className={classes.room}
                activeOptions={{ exact: name === 'events', includeSearch: false }}
                activeProps={{ 'aria-current': 'page' }}
              >
                <Icon />
                {words[name]}
                {name === 'inbox' && <UnreadCount className={classes.unread} />}
              </Link>
              {name === 'events' && <EventRooms />}
            </li>
          ))}
        </ul>
        <Person />
      </nav>
    </header>
  )
}

/** The event that is open, and its rooms. */
const EventRooms = () => {
  const words = useWords(frameWords)
  const slug = useEventSlug()
  const event = useQuery({ ...eventQuery(slug ?? ''), enabled: slug !== null })
  if (slug === null) return null
  return (
    <ul className={classes.eventRooms}>
      <li>
        <Link
          to="/events/$slug"
          params={{ slug }}
          className={classes.room}
          activeOptions={{ exact: true }}
          activeProps={{ 'aria-current': 'page' }}
        >
          <span className={classes.eventName} dir="auto">
            {event.data?.title ?? slug}
          </span>
        </Link>
      </li>
      {EVENT_ROOMS.map(({ name, path, icon: Icon }) => (
        <li key={name}>
          <Link
            to={path}
            params={{ slug }}
            className={classes.room}
            activeOptions={{ includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            <Icon size={16} />
            {words[name]}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The menu is loaded when somebody reaches for it. */
const Person = () => {
  const [isWanted, setIsWanted] = useState(false)
  if (!isWanted) return <PersonButton onClick={() => setIsWanted(true)} />
  return (
    <Suspense fallback={<PersonButton />}>
      <PersonMenu />
    </Suspense>
  )
}

const useFrameShortcuts = (openPalette: () => void) => {
  const words = useWords(frameWords)
  const common = useWords(commonWords)
  const { showHelp } = useKeyboard()
  const go = useNavigateToPath()
  const slug = useEventSlug()
  const { role } = useSession()
  const eventRooms = slug === null ? [] : EVENT_ROOMS
  useShortcuts(
    [
      { keys: 'mod+k', label: common.keys.palette, run: openPalette, whileTyping: true },
      ...ROOMS.filter(({ roles }) => roles.includes(role)).map(({ name, path, key }) => ({
        keys: `g ${key}`,
        label: words.goTo(words[name]),
        run: () => go(path),
      })),
      ...eventRooms.map(({ name, path, key }) => ({
        keys: `g ${key}`,
        label: words.goTo(words[name]),
        run: () => go(pathOfEvent(path, slug!)),
      })),
      { keys: '?', label: common.keys.help, run: showHelp },
    ],
    'everywhere',
  )
}
