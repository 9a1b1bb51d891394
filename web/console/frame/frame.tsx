import { Burger, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { Suspense, lazy, useEffect, useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { SearchIcon } from '../../ui/icons.tsx'
import { useKeyboard, useShortcuts } from '../../ui/keyboard.tsx'
import { Keys } from '../../ui/keys.tsx'
import { useSession } from '../../ui/session.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { Banners } from './banners.tsx'
import classes from './frame.module.css'
import { useGo, usePaletteSources } from './palette-sources.ts'
import { PersonButton } from './person-button.tsx'
import { ROOMS } from './rooms.ts'
import { frameWords } from './words.ts'

const Palette = lazy(() => import('../../ui/palette.tsx'))
const PersonMenu = lazy(() => import('./person-menu.tsx'))

const ORGANIZERS = new Set(['owner', 'manager', 'co_organizer'])

/** What stands around every room: where one is, where one can go, and who one is. */
export const Frame = () => {
  const words = useWords(frameWords)
  const { account, role } = useSession()
  const [isPaletteOpen, palette] = useDisclosure(false)
  useFrameShortcuts(palette.open)
  const sources = usePaletteSources(isPaletteOpen)
  const isOrganizer = ORGANIZERS.has(role)

  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        {words.skip}
      </a>
      <Sidebar accountName={account.name} isOrganizer={isOrganizer} openPalette={palette.open} />
      <main id="content" tabIndex={-1} className={classes.main}>
        <Banners />
        <div className={classes.content}>
          {isOrganizer ? (
            <Outlet />
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
  isOrganizer: boolean
  openPalette: () => void
}

/** Beside the rooms at a desk; on a phone a bar, and the rest behind its button. */
const Sidebar = ({ accountName, isOrganizer, openPalette }: SidebarProps) => {
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
          <Keys keys="mod+k" />
        </UnstyledButton>
        <ul className={classes.rooms}>
          {isOrganizer &&
            ROOMS.map(({ name, path, icon: Icon }) => (
              <li key={name}>
                <Link to={path} className={classes.room} activeProps={{ 'aria-current': 'page' }}>
                  <Icon />
                  {words[name]}
                </Link>
              </li>
            ))}
        </ul>
        <Person />
      </nav>
    </header>
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
  const go = useGo()
  useShortcuts(
    [
      { keys: 'mod+k', label: common.keys.palette, run: openPalette, whileTyping: true },
      ...ROOMS.map(({ name, path, key }) => ({
        keys: `g ${key}`,
        label: words.goTo(words[name]),
        run: () => go(path),
      })),
      { keys: '?', label: common.keys.help, run: showHelp },
    ],
    'everywhere',
  )
}
