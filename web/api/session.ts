import { refusalOfResponse } from './refusals.ts'
import { type SendOptions, sendWithRetries } from './send.ts'

export type Role = 'scanner' | 'manager' | 'owner' | 'co_organizer' | 'promoter'

/** Who is signed in on this page. */
export interface Session {
  person: { name: string; email: string }
  role: Role
  membership_id: number
  account: { name: string; subdomain: string; currency: string; time_zone: string; shop_url: string }
  other_accounts: Array<{ membership_id: number; name: string }>
  /** Which build of the fronts the server has now. */
  build: string | null
}

const ADDRESS = '/console/session'

/** Of the console itself, since no token has one; everything else that the console asks is the documented API. */
export const readSession = async (wire: SendOptions): Promise<Session> => {
  const answer = await sendWithRetries(wire, new Request(new URL(ADDRESS, location.origin)))
  if (!answer.ok) throw await refusalOfResponse(answer)
  return (await answer.json()) as Session
}

/** The session as it is right now; null: nobody is signed in, or nobody can be asked. */
export const readCurrentSession = async (): Promise<Session | null> => {
  const answer = await fetch(ADDRESS, { headers: { accept: 'application/json' } }).catch(() => null)
  return answer?.ok ? ((await answer.json()) as Session) : null
}
