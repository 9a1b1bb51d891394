import { verifyPassword } from '../access/passwords.ts'
import type { VisitorScope } from '../access/scopes.ts'
import { findPerson } from './records.ts'

const GUESSES_PER_ADDRESS = 10
const ATTEMPTS_PER_IP = 60

/**
 * Whose password it is, or null. Someone unknown takes as long as someone known with a wrong password, and both get
 * the same answer.
 */
export const checkPassword = async (
  visitor: VisitorScope,
  { email, password, ip }: { email: string; password: string; ip: string },
): Promise<number | null> => {
  const { budgets } = visitor.house
  const guesses = budgets.of('wrong passwords for an address', GUESSES_PER_ADDRESS)
  budgets.of('sign-ins from an address', ATTEMPTS_PER_IP).spend(ip)
  guesses.require(email)

  const person = await findPerson(visitor.rows, email)
  const isRight = await verifyPassword(password, person?.passwordDigest ?? null)
  if (person && isRight) return person.id

  guesses.spend(email)
  return null
}
