import type { OpenInvitation } from './records.ts'

/** What the link of an invitation is sealed for. */
export const SEALED_LINK = 'invitation link'

export const invitationUrl = (baseUrl: string, token: string) => `${baseUrl}/invitations/${token}`

/** Why an invitation can no longer be accepted; null while it can. */
export const obstacleOf = ({ isAccepted, isRevoked, isExpired }: OpenInvitation): string | null => {
  if (isAccepted) return 'This invitation has been accepted already.'
  if (isRevoked) return 'This invitation has been withdrawn.'
  if (isExpired) return 'This invitation has run out. Ask for it to be sent again.'
  return null
}
