import { usePageTitle } from '../../ui/page-title.ts'
import { useWords } from '../../ui/words.ts'
import { accessWords } from './access-words.ts'
import { Tokens } from './tokens.tsx'
import { teamWords } from './words.ts'

const all = () => true

/** Every token that this person may see. */
export const TokensView = () => {
  const words = useWords(accessWords)
  usePageTitle(words.tokens, useWords(teamWords).team)
  return <Tokens title={words.tokens} isShown={all} />
}
