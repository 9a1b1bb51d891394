import { useSyncExternalStore } from 'react'
import { type Dictionary, type Language, defineWords } from '../../src/languages/rules.ts'
import { currentLanguage, listenToLanguage } from './language.ts'

export { type Dictionary, type Language, defineWords }
export { chooseLanguage, currentLanguage } from './language.ts'

export const useLanguage = (): Language => useSyncExternalStore(listenToLanguage, currentLanguage)

export const useWords = <Words>(dictionary: Dictionary<Words>): Words => {
  const chosen = useLanguage()
  return dictionary[chosen]
}
