import { fold } from './fold.ts'

/** Whether a name has every word that was typed, whatever the accents. */
export const containsAllWords = (name: string, text: string): boolean => {
  const [plainName, words] = [fold(name), fold(text).split(/\s+/)]
  return words.every((word) => plainName.includes(word))
}
