import type { OpenInvitation } from './records.ts'
import { OBSTACLE_WORDS } from './words.ts'

/** What the link of an invitation is sealed for. */
export const INVITATION_LINK_SEAL_PURPOSE = 'invitation link'

export const invitationUrl = (baseUrl: string, token: string) => `${baseUrl}/invitations/${token}`

/** Why an invitation can no longer be accepted; null while it can. */
export const reasonNotAcceptable = ({ isAccepted, isRevoked, isExpired }: OpenInvitation): string | null => {
  if (isAccepted) return OBSTACLE_WORDS.en.accepted
  if (isRevoked) return OBSTACLE_WORDS.en.withdrawn
  if (isExpired) return OBSTACLE_WORDS.en.expired
  return null
}
