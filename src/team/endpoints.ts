import { auditLogEndpoints } from './audit-log/endpoints.ts'
import { credentialEndpoints } from './credentials/endpoints.ts'
import { acceptanceEndpoints } from './invitations/acceptance.ts'
import { invitationEndpoints } from './invitations/endpoints.ts'
import { membershipEndpoints } from './memberships/endpoints.ts'

export const teamEndpoints = [
  ...membershipEndpoints,
  ...invitationEndpoints,
  ...acceptanceEndpoints,
  ...credentialEndpoints,
  ...auditLogEndpoints,
]
