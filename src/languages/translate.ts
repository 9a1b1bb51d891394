import type { Dictionary, Language } from './rules.ts'

type Sentence = string | ((...given: never[]) => string)
type Sentences = Record<string, Sentence>

interface Pattern {
  key: string
  matches: RegExp
  /** Which of the things given stands at each place of the English sentence. */
  order: number[]
}

const patterns = new WeakMap<object, Pattern[]>()

/**
 * A sentence that programs match on, and that is therefore English wherever it is made, as a page says it in its own
 * language. The dictionary has the English sentences as they are, those with something in them as functions that put
 * it in unchanged. What the dictionary does not have stays English.
 */
export const translate = <Words extends Sentences>(
  dictionary: Dictionary<Words>,
  sentence: string,
  language: Language,
): string => {
  if (language === 'en') return sentence
  for (const { key, matches, order } of patternsOf(dictionary)) {
    const found = matches.exec(sentence)
    if (!found) continue
    const translated: Sentence = dictionary[language][key]!
    if (typeof translated === 'string') return translated
    const given: string[] = []
    for (const [place, parameter] of order.entries()) given[parameter] = found[place + 1]!
    return translated(...(given as never[]))
  }
  return sentence
}

/** Characters of the private use area, which no sentence has. */
const MARK = /\ue000(\d+)\ue001/g

const patternsOf = (dictionary: Dictionary<Sentences>): Pattern[] => {
  const known = patterns.get(dictionary)
  if (known) return known
  const made = Object.entries(dictionary.en).map(([key, english]) => patternOf(key, english))
  patterns.set(dictionary, made)
  return made
}

const patternOf = (key: string, english: Sentence): Pattern => {
  const text =
    typeof english === 'string'
      ? english
      : english(...(Array.from({ length: english.length }, (_, n) => `\ue000${n}\ue001`) as never[]))
  const order = Array.from(text.matchAll(MARK), ([, parameter]) => Number(parameter))
  const source = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(MARK, '(.*)')
  return { key, matches: new RegExp(`^${source}$`, 's'), order }
}
