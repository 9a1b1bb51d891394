import { createContext, use } from 'react'
import type { Role, Session } from '../api/session.ts'

const SessionContext = createContext<Session | null>(null)

export const SessionProvider = SessionContext

/** Who is signed in on this page. */
export const useSession = (): Session => {
  const session = use(SessionContext)
  if (!session) throw new Error('There is no session around this')
  return session
}

/** Those who set events up; others are shown no way to it. */
export const isManager = (role: Role): boolean => role === 'owner' || role === 'manager'
