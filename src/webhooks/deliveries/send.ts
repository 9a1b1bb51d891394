import { type PostContent, postToPublicUrl } from '../../outgoing/post.ts'
import { ForbiddenAddress } from '../../outgoing/public-address.ts'
import type { Settings } from '../../kernel/settings.ts'

export type SendResult = { status: number; failure: string | null } | { status: null; failure: string }

/** Posts a message to an address that somebody else chose, and tells how it went in words for the organizer. */
export const postWebhook = async (
  settings: Pick<Settings, 'reachesPrivateNetworks' | 'baseUrl'>,
  url: string,
  { headers, ...message }: PostContent,
): Promise<SendResult> => {
  try {
    const json = { 'content-type': 'application/json', ...headers }
    const status = await postToPublicUrl(settings, url, { ...message, headers: json }, 'url')
    return { status, failure: status >= 200 && status < 300 ? null : `The address answered with ${status}` }
  } catch (error) {
    if (error instanceof ForbiddenAddress) return { status: null, failure: error.message }
    const { code, name } = error as NodeJS.ErrnoException
    return { status: null, failure: `The address could not be reached (${code ?? name})` }
  }
}
