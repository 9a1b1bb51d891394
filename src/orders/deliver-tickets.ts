import type { CallerScope } from '../access/scopes.ts'
import { requireFound, refuseUnless } from '../kernel/refusals.ts'
import { queueOrderMails } from './mails/queue-mail.ts'
import { findOrderAdmissions, findOrderToView } from './view/records.ts'

/** Mails the tickets of a paid order once more. */
export const deliverOrderTickets = (scope: CallerScope, publicId: string): Promise<void> =>
  scope.transaction(async (tx) => {
    const order = requireFound(await findOrderToView(tx, publicId, scope.boundMembershipId))
    const { orderId, status, customerEmail } = order
    refuseUnless(orderId !== null && status === 'paid', 'Only tickets that are paid can be mailed')
    refuseUnless(customerEmail !== null, 'Nobody knows where to mail these tickets')
    const admissions = await findOrderAdmissions(tx, order)
    refuseUnless(
      admissions.some((admission) => admission.status === 'active'),
      'Only tickets that are paid can be mailed',
    )
    await queueOrderMails(tx, [orderId], 'tickets_again')
  })
