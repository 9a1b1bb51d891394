import type { CallerScope } from '../access/scopes.ts'
import { isCallableUrl } from '../outgoing/public-address.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { type ErrorMap, Invalid, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { INVALID_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import {
  type WebhookEndpoint,
  countWebhookEndpoints,
  deleteWebhookEndpoint,
  findWebhookEndpoint,
  insertWebhookEndpoint,
  updateWebhookEndpoint,
} from './webhook-endpoints/records.ts'
import { ENDPOINTS_MAX, WEBHOOK_KINDS, URL_MAX, type WebhookKind } from './rules.ts'
import { sealSecret } from './secret.ts'
import { newWebhookSecret } from './signature.ts'
import type { NewWebhookEndpointBody, WebhookEndpointChanges } from './wire.ts'

type NewInput = ReturnType<(typeof NewWebhookEndpointBody)['read']>
type Changes = ReturnType<(typeof WebhookEndpointChanges)['read']>

/** A co-organizer's endpoint is a personal one, whatever they ask for. The secret is known to this answer alone. */
export const createWebhookEndpoint = (
  account: CallerScope,
  input: NewInput,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> =>
  account.transaction(async (tx) => {
    const kinds = judge(account, input)
    refuseUnless(
      (await countWebhookEndpoints(tx)) < ENDPOINTS_MAX,
      `There can be at most ${ENDPOINTS_MAX} webhook endpoints`,
    )

    const secret = newWebhookSecret()
    const endpoint = await insertWebhookEndpoint(tx, {
      publicId: newPublicId(),
      url: input.url,
      description: input.description ?? '',
      kinds,
      secretSealed: sealSecret(account.app.secrets, secret),
      membershipId: account.boundMembershipId,
    })
    return { endpoint, secret }
  })

export const changeWebhookEndpoint = (
  account: CallerScope,
  publicId: string,
  input: Changes,
): Promise<WebhookEndpoint> =>
  account.transaction(async (tx) => {
    const endpoint = requireFound(await findWebhookEndpoint(account.within(tx), publicId))
    const kinds = judge(account, { url: input.url ?? endpoint.url, kinds: input.kinds })
    return updateWebhookEndpoint(tx, {
      id: endpoint.id,
      url: input.url ?? endpoint.url,
      description: input.description === undefined ? endpoint.description : (input.description ?? ''),
      kinds: input.kinds === undefined ? endpoint.kinds : kinds,
      enabled: input.enabled ?? endpoint.disabledAt === null,
    })
  })

export const removeWebhookEndpoint = (account: CallerScope, publicId: string): Promise<void> =>
  account.transaction(async (tx) => {
    const { id } = requireFound(await findWebhookEndpoint(account.within(tx), publicId))
    await deleteWebhookEndpoint(tx, id)
  })

const isWebhookUrl = ({ app }: CallerScope, url: string) =>
  url.length <= URL_MAX && !url.includes('#') && isCallableUrl(app.settings, url)

const judge = (account: CallerScope, { url, kinds }: Pick<NewInput, 'url' | 'kinds'>): WebhookKind[] => {
  const known = (kinds ?? []).filter((kind): kind is WebhookKind => WEBHOOK_KINDS.includes(kind as WebhookKind))
  const faults: ErrorMap = {
    ...(!isWebhookUrl(account, url) && { url: [INVALID_MESSAGE] }),
    ...(known.length !== (kinds ?? []).length && { kinds: [NOT_INCLUDED_MESSAGE] }),
  }
  if (Object.keys(faults).length > 0) throw new Invalid(faults)
  return [...new Set(known)]
}
