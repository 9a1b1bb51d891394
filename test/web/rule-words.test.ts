import { expect, test } from 'vitest'
import { showMessage } from '../../src/kernel/message-words.ts'
import { translate } from '../../src/languages/translate.ts'
import { readSourceTree } from '../kit/source-tree.ts'
import { RULE_WORDS } from '../../web/ui/rule-words.ts'

/** Rooms whose refusals no page of the console shows: their own pages, doors and assistants do, and the frame of HTTP. */
const ELSEWHERE = /^src\/(assistant|checkouts|door|http|kernel|payments\/(?!refunds)|signup\/pages|waiting-room|wallet)/
/** Where a sentence begins that a rule refuses with. */
const SENTENCE =
  /(?:new (?:Invalid|Conflict)\(\s*|refuseUnless\([^\n]*?, |_MESSAGE = |(?:NO_ROOM|TOO_MANY|ALREADY) = |errors: \{ \w+: \[|\{ \w+: \[)(['"])((?:(?!\1).)*[a-z] [a-z](?:(?!\1).)*)\1/g

/** Where a sentence begins that says why a provider did not do what it was asked for. */
const REASON = /new Provider(?:Refused|Unavailable)\(\s*(['"`])((?:(?!\1).)+)\1/g

/** Reasons that no refund has: those of a payment that could not begin, and of a method that has no provider. */
const NO_REASONS_OF_REFUNDS = new Set(['Stripe has said nothing about where to pay', 'This money is paid back by hand'])

/** Sentences of programs that ask wrongly: the console never does. */
const NEVER_SHOWN = new Set([
  'This key was used for another amount',
  'Several signup links exist; use guest_list_forms',
  'This reservation has been captured',
  'This reservation has been released',
  'The ID of a mail is made of letters, digits and .+=-_ only',
  // It has words of its own with what it means for a task.
  'This task was changed by someone else; reload and try again',
])

const findSentences = (): Set<string> => {
  const found = new Set<string>()
  for (const [file, text] of readSourceTree()) {
    if (!file.startsWith('src/') || file.endsWith('.test.ts') || ELSEWHERE.test(file)) continue
    for (const [, , sentence] of text.matchAll(SENTENCE)) found.add(sentence!)
  }
  return found
}

test('whatever a rule refuses with has words in every language of the console', () => {
  const found = findSentences()
  expect(found.size).toBeGreaterThan(40)
  const hasWords = (sentence: string) =>
    [showMessage(sentence, 'de'), translate(RULE_WORDS, sentence, 'de')].some((words) => words !== sentence)
  expect([...found].filter((sentence) => !NEVER_SHOWN.has(sentence) && !hasWords(sentence))).toEqual([])
})

test('whatever a refund has failed with has words in every language of the console', () => {
  const methods = Array.from(readSourceTree()).filter(([file]) =>
    /^src\/payments\/methods\/.*(?<!\.test)\.ts$/.test(file),
  )
  const reasons = methods.flatMap(([, text]) => Array.from(text.matchAll(REASON), ([, , reason]) => reason!))
  expect(reasons.length).toBeGreaterThan(8)
  const wordless = reasons.filter((reason) => translate(RULE_WORDS, reason, 'de') === reason)
  expect(new Set(wordless)).toEqual(NO_REASONS_OF_REFUNDS)
})

/** Where a sentence of a voucher import begins: of its file, of a row, or of the whole. */
const IMPORT_SENTENCE = /(['`])((?:is|has|must|goes|This|The|A) (?:(?!\1).)+)\1/g

test('whatever is wrong with a voucher import has words in every language of the console', () => {
  const imports = Array.from(readSourceTree()).filter(([file]) =>
    /^src\/vouchers\/imports\/(apply-import|analyze-import|csv|jobs|rules)\.ts$/.test(file),
  )
  const sentences = imports.flatMap(([, text]) =>
    Array.from(text.matchAll(IMPORT_SENTENCE), ([, , sentence]) => sentence!.replaceAll(/\$\{[^}]*\}/g, '7')),
  )
  expect(sentences.length).toBeGreaterThan(20)
  expect(sentences.filter((sentence) => translate(RULE_WORDS, sentence, 'de') === sentence)).toEqual([])
})

test('whatever an import cannot be applied for has words in every language of the console', () => {
  const rooms = Array.from(readSourceTree()).filter(([file]) =>
    /^src\/(guest-list|vouchers)\/imports\/[^.]+\.ts$/.test(file),
  )
  const said = rooms.flatMap(([, text]) =>
    Array.from(
      text.matchAll(
        /(['"`])((?:This import|The import could not be applied;|The code on|The voucher on|A code|Line) (?:(?!\1).)+)\1/g,
      ),
      ([, , sentence]) => sentence!.replaceAll(/\$\{[^}]+\}/g, '3'),
    ),
  )
  expect(said.length).toBeGreaterThanOrEqual(12)
  expect(said.filter((sentence) => translate(RULE_WORDS, sentence, 'de') === sentence)).toEqual([])
  expect(translate(RULE_WORDS, 'Not enough places available in a standing area', 'de')).toContain('nicht genug')
})

/** Where a sentence begins that says why the mail of a voucher has failed. */
const MAIL_FAILURE =
  /(?:new UndeliverableAddress\(|new Error\(|failPendingDeliveries\(.*|\? )(['`])(The (?:(?!\1).)+)\1/g

test('whatever the mail of a voucher has failed with has words in every language of the console', () => {
  const mails = Array.from(readSourceTree()).filter(([file]) =>
    /^src\/(mail\/(address|mailer)|vouchers\/deliveries\/(jobs|refund-purchase|venue-section))\.ts$/.test(file),
  )
  const failures = mails.flatMap(([, text]) =>
    Array.from(text.matchAll(MAIL_FAILURE), ([, , failure]) => failure!.replaceAll(/\$\{[^}]*\}/g, '7')),
  )
  expect(failures.length).toBeGreaterThan(6)
  const wordless = failures.filter((failure) => translate(RULE_WORDS, failure, 'de') === failure)
  expect(wordless.filter((failure) => !NEVER_SHOWN.has(failure))).toEqual([])
})

test('no words are kept for what nobody says any more', () => {
  const sources = Array.from(readSourceTree()).flatMap(([file, text]) => (file.startsWith('src/') ? [text] : []))
  const said = Object.values(RULE_WORDS.en).filter((sentence) => typeof sentence === 'string')
  expect(said.filter((sentence) => !sources.some((text) => text.includes(sentence)))).toEqual([])
})
