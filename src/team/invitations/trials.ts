import type { Preparation, Trial } from '../../http/trial.ts'

const invited = (email: string): Preparation => ({
  call: 'POST /admin/invitations',
  body: { invitation: { email, role: 'manager' } },
  take: [{ key: 'id', as: 'id' }],
})

/** What the examples of these endpoints take to work on the demo venue. */
export const TRIALS = {
  reading: { before: [invited('ana@partner.example')] },
  revoking: { before: [invited('ben@partner.example')] },
  resending: { before: [invited('cleo@partner.example')] },
} satisfies Record<string, Trial>
