import { refusalOf } from './refusals.ts'
import { type Wire, sendRepeatedly } from './send.ts'

export type Role = 'scanner' | 'manager' | 'owner' | 'co_organizer' | 'promoter'

/** Who is signed in on this page. */
export interface Session {
  person: { name: string; email: string }
  role: Role
  membership_id: number
  account: { name: string; subdomain: string; currency: string; time_zone: string; shop_url: string }
  other_accounts: Array<{ membership_id: number; name: string }>
}

const ADDRESS = '/console/session'

/** Of the console itself, since no token has one; everything else that the console asks is the documented API. */
export const readSession = async (wire: Wire): Promise<Session> => {
  const answer = await sendRepeatedly(wire, new Request(new URL(ADDRESS, location.origin)))
  if (!answer.ok) throw await refusalOf(answer)
  return (await answer.json()) as Session
}

/** The membership that is signed in right now; null: nobody. */
export const readSignedIn = async (): Promise<number | null> => {
  const answer = await fetch(ADDRESS, { headers: { accept: 'application/json' } }).catch(() => null)
  return answer?.ok ? ((await answer.json()) as Session).membership_id : null
}
