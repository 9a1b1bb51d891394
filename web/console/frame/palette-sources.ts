import { useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useKeyboard } from '../../ui/keyboard.tsx'
import { containsAllWords } from '../../ui/match-text.ts'
import type { PaletteItem, PaletteSource } from '../../ui/palette.tsx'
import { isManager, useSession } from '../../ui/session.tsx'
import { chooseLanguage, useLanguage, useWords } from '../../ui/words.ts'
import { postForm } from './post-form.ts'
import { EVENT_ROOMS, PALETTE_PROVIDERS, ROOMS, loadSetUpPalette, pathOfEvent } from './rooms.ts'
import { frameWords } from './words.ts'

/** Goes to a path of the console. */
export const useNavigateToPath = () => {
  const router = useRouter()
  return useCallback((path: string) => void router.navigate({ to: path }), [router])
}

/** The event that the open room is about. */
export const useEventSlug = (): string | null => useParams({ strict: false }).slug ?? null

/** Where one can go, what the rooms hold, and what can be done from anywhere. */
export const usePaletteSources = (isOpen: boolean): readonly PaletteSource[] => {
  const words = useWords(frameWords)
  const language = useLanguage()
  const queries = useQueryClient()
  const { other_accounts: others, role } = useSession()
  const slug = useEventSlug()
  const { setColorScheme } = useMantineColorScheme()
  const { showHelp } = useKeyboard()
  const go = useNavigateToPath()

  return useMemo(() => {
    if (!isOpen) return []
    const among = (items: readonly PaletteItem[]) => (text: string) =>
      items.filter(({ label }) => containsAllWords(label, text))
    const rooms: PaletteItem[] = [
      ...EVENT_ROOMS.flatMap(({ name, path }) =>
        slug === null
          ? []
          : [
              {
                id: `room-${name}`,
                label: words[name],
                hint: words.ofThisEvent,
                run: () => go(pathOfEvent(path, slug)),
              },
            ],
      ),
      ...ROOMS.filter(({ roles }) => roles.includes(role)).map(({ name, path }) => ({
        id: `room-${name}`,
        label: words[name],
        run: () => go(path),
      })),
    ]
    const actions: PaletteItem[] = [
      ...others.map(({ membership_id, name }) => ({
        id: `account-${membership_id}`,
        label: words.switchTo(name),
        run: () => postForm('/account/switch', { membership_id: String(membership_id) }),
      })),
      { id: 'english', label: 'English', hint: words.language, run: () => chooseLanguage('en') },
      { id: 'german', label: 'Deutsch', hint: words.language, run: () => chooseLanguage('de') },
      ...(['auto', 'light', 'dark'] as const).map((scheme) => ({
        id: `scheme-${scheme}`,
        label: words.schemes[scheme],
        hint: words.appearance,
        run: () => setColorScheme(scheme),
      })),
      { id: 'keyboard', label: words.keyboard, run: showHelp },
      { id: 'own-account', label: words.account, run: () => go('/me') },
      { id: 'api-reference', label: words.apiReference, run: () => location.assign('/docs') },
      { id: 'sign-out', label: words.signOut, run: () => postForm('/sign_out') },
    ]
    return [
      { group: words.rooms, find: among(rooms) },
      ...PALETTE_PROVIDERS.filter(({ roles }) => roles.includes(role)).map(({ group, palette }) => ({
        group: words[group],
        find: async (text: string) => (await palette()).findItems(text, { queries, language, go, slug }),
      })),
      ...(isManager(role)
        ? [
            {
              group: words.setUp,
              find: async (text: string) => (await loadSetUpPalette()).findItems(text, { queries, language, go, slug }),
            },
          ]
        : []),
      { group: words.actions, find: among(actions) },
    ]
  }, [isOpen, words, language, queries, others, role, slug, setColorScheme, showHelp, go])
}
