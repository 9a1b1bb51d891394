import { passwordVersionOf, verifyPassword } from '../access/passwords.ts'
import type { VisitorScope } from '../access/scopes.ts'
import type { RefundableSpending } from '../access/shared-budget.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { readKnownBrowser } from './known-browser.ts'
import type { ProvenIdentity } from './complete-sign-in.ts'
import { findPersonByEmail } from './records.ts'

const GUESSES_PER_MINUTE = 10
const GUESSES_IN_KNOWN_BROWSERS = 60
const GUESSES_FROM_EVERYWHERE = 30
const GUESSES_FROM_AN_ADDRESS = 60

interface Attempt {
  email: string
  password: string
  ip: string
  headers: RequestHeaders
}

type Shown = Pick<ProvenIdentity, 'personId' | 'passwordVersion'>

/**
 * Whose password it is, or null. Someone unknown takes as long as someone known with a wrong password, and both get
 * the same answer. A password cannot be told from a guess before it is checked, so it is paid for beforehand, and given
 * back when it was right.
 */
export const checkPassword = async (visitor: VisitorScope, attempt: Attempt): Promise<Shown | null> => {
  const person = await findPersonByEmail(visitor.rows, attempt.email)
  const wanted = person && { personId: person.id, passwordVersion: passwordVersionOf(person.passwordDigest) }
  const giveBack = await spendGuess(visitor, attempt, wanted)
  const isRight = await verifyPassword(attempt.password, person?.passwordDigest ?? null)
  if (!wanted || !isRight) return null
  await giveBack()
  return wanted
}

/**
 * One address may guess at one person only so often, all addresses together at one person, and one address at everybody.
 * A browser in which this person has signed in before, with the password they have now, has a budget of its own instead:
 * others cannot use it up. All such browsers together are bounded too, as somebody may keep many of their cookies.
 */
const spendGuess = async ({ app }: VisitorScope, { email, ip, headers }: Attempt, wanted: Shown | null) => {
  const { budgets } = app
  const spendings: RefundableSpending[] = []
  const giveBack = async () => {
    await Promise.all(spendings.map((spending) => spending.giveBack()))
  }
  const browser = wanted && readKnownBrowser({ app }, wanted, headers)

  try {
    if (wanted && browser) {
      const own = budgets.shared('wrong passwords in a known browser', GUESSES_PER_MINUTE)
      spendings.push(await own.spend(browser))
      const all = budgets.shared('wrong passwords in known browsers of a person', GUESSES_IN_KNOWN_BROWSERS)
      spendings.push(await all.spend(wanted.personId))
      return giveBack
    }
    const here = budgets.shared('wrong passwords for a person from an address', GUESSES_PER_MINUTE)
    spendings.push(await here.spend(`${ip} ${email}`))
    spendings.push(await budgets.shared('wrong passwords for a person', GUESSES_FROM_EVERYWHERE).spend(email))
    spendings.push(await budgets.shared('wrong passwords from an address', GUESSES_FROM_AN_ADDRESS).spend(ip))
  } catch (refusal) {
    await giveBack()
    throw refusal
  }
  return giveBack
}
