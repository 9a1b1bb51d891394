import { verifyPassword } from '../access/passwords.ts'
import type { VisitorScope } from '../access/scopes.ts'
import type { RefundableSpending } from '../access/shared-budget.ts'
import type { KnownBrowser } from './known-browser.ts'
import { type Person, findPersonByEmail } from './records.ts'

const GUESSES_PER_MINUTE = 10
const GUESSES_FROM_EVERYWHERE = 30
const GUESSES_FROM_AN_ADDRESS = 60

interface Attempt {
  email: string
  password: string
  ip: string
  browser: KnownBrowser | null
}

/**
 * Whose password it is, or null. Someone unknown takes as long as someone known with a wrong password, and both get
 * the same answer. A password cannot be told from a guess before it is checked, so it is paid for beforehand, and given
 * back when it was right.
 */
export const checkPassword = async (visitor: VisitorScope, attempt: Attempt): Promise<number | null> => {
  const person = await findPersonByEmail(visitor.rows, attempt.email)
  const giveBack = await spendGuess(visitor, attempt, person)
  const isRight = await verifyPassword(attempt.password, person?.passwordDigest ?? null)
  if (!person || !isRight) return null
  await giveBack()
  return person.id
}

/**
 * One address may guess at one person only so often, all addresses together at one person, and one address at everybody.
 * A browser in which this person has signed in before has a budget of its own instead: others cannot use it up.
 */
const spendGuess = async ({ app }: VisitorScope, { email, ip, browser }: Attempt, person: Person | null) => {
  const { budgets } = app
  const spendings: RefundableSpending[] = []
  const giveBack = async () => {
    await Promise.all(spendings.map((spending) => spending.giveBack()))
  }
  if (person && browser?.personId === person.id) {
    const own = budgets.shared('wrong passwords in a known browser', GUESSES_PER_MINUTE)
    spendings.push(await own.spend(browser.id))
    return giveBack
  }

  try {
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
