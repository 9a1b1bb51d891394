import { z } from 'zod'
import { unwrappedBody } from '../../http/body.ts'
import { requiredPublicIds } from '../../http/fields.ts'
import { APPROVALS_MAX } from './rules.ts'

export const RequestsToApprove = unwrappedBody(z.object({ public_ids: requiredPublicIds(APPROVALS_MAX) }))
