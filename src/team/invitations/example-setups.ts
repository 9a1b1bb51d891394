import type { PrecedingCall, ExampleSetup } from '../../http/example-setup.ts'

const invited = (email: string): PrecedingCall => ({
  call: 'POST /admin/invitations',
  body: { invitation: { email, role: 'manager' } },
  take: [{ key: 'id', as: 'id' }],
})

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  reading: { before: [invited('ana@partner.example')] },
  revoking: { before: [invited('ben@partner.example')] },
  resending: { before: [invited('cleo@partner.example')] },
} satisfies Record<string, ExampleSetup>
