import type { QueryClient } from '@tanstack/react-query'
import { containsAllWords } from '../../ui/match-text.ts'
import type { PaletteItem } from '../../ui/palette.tsx'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import type { Language } from '../../ui/words.ts'
import { teamQuery } from './queries.ts'
import { teamWords } from './words.ts'

const ITEMS_MAX = 5
/** A letter alone says nothing about whom is meant. */
const TEXT_MIN = 2

/** Members of the team by name or address; choosing one copies the address. */
export const findItems = async (
  text: string,
  { queries, language }: { queries: QueryClient; language: Language },
): Promise<PaletteItem[]> => {
  if (text.trim().length < TEXT_MIN) return []
  const { active } = await queries.ensureQueryData(teamQuery)
  const words = teamWords[language]
  return active
    .filter(({ user }) => containsAllWords(`${user.name} ${user.email}`, text))
    .slice(0, ITEMS_MAX)
    .map(({ id, user }) => ({
      id: `person-${id}`,
      label: user.name,
      hint: user.email,
      run: () =>
        void navigator.clipboard.writeText(user.email).then(
          () => showToast(words.copied(user.name)),
          () => showErrorToast(words.notCopied),
        ),
    }))
}
