import { useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useKeyboard } from '../../ui/keyboard.tsx'
import { matchesText } from '../../ui/match-text.ts'
import type { PaletteItem, PaletteSource } from '../../ui/palette.tsx'
import { useSession } from '../../ui/session.tsx'
import { chooseLanguage, useLanguage, useWords } from '../../ui/words.ts'
import { postForm } from './post-form.ts'
import { ROOMS } from './rooms.ts'
import { frameWords } from './words.ts'

/** Goes to a path of the console. */
export const useGo = () => {
  const router = useRouter()
  return useCallback((path: string) => void router.navigate({ to: path }), [router])
}

/** Where one can go, what the rooms hold, and what can be done from anywhere. */
export const usePaletteSources = (isOpen: boolean): readonly PaletteSource[] => {
  const words = useWords(frameWords)
  const language = useLanguage()
  const queries = useQueryClient()
  const { other_accounts: others } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const { showHelp } = useKeyboard()
  const go = useGo()

  return useMemo(() => {
    if (!isOpen) return []
    const among = (items: readonly PaletteItem[]) => (text: string) =>
      items.filter(({ label }) => matchesText(label, text))
    const rooms = ROOMS.map(({ name, path }) => ({ id: `room-${name}`, label: words[name], run: () => go(path) }))
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
      { id: 'own-account', label: words.account, run: () => location.assign('/account') },
      { id: 'api-reference', label: words.apiReference, run: () => location.assign('/docs') },
      { id: 'sign-out', label: words.signOut, run: () => postForm('/sign_out') },
    ]
    return [
      { group: words.rooms, find: among(rooms) },
      ...ROOMS.map(({ name, palette }) => ({
        group: words[name],
        find: async (text: string) => (await palette()).findItems(text, { queries, language, go }),
      })),
      { group: words.actions, find: among(actions) },
    ]
  }, [isOpen, words, language, queries, others, setColorScheme, showHelp, go])
}
