import type { ShopScope } from '../../access/access.ts'
import type { RawAnswer } from '../../http/answers.ts'
import type { RequestHeaders } from '../../http/headers.ts'
import { languageOfRequest } from '../../http/request-language.ts'
import { type ErrorMap, NotFound, Refusal, TooManyRequests } from '../../kernel/refusals.ts'
import { type ShopPageContext, noticePage, shopPageContext, translateMessage } from './parts.ts'

export interface ShopPageRequest {
  shop: ShopScope
  headers: RequestHeaders
  ip: string
}

const pageOf = ({ shop, headers }: Pick<ShopPageRequest, 'shop' | 'headers'>): ShopPageContext =>
  shopPageContext(shop.account, languageOfRequest(shop.account, headers))

/** Whatever is refused is told on a page to those who look at pages. */
export const withRefusalsAsPages = async (
  asked: ShopPageRequest,
  work: (page: ShopPageContext) => Promise<RawAnswer>,
): Promise<RawAnswer> => {
  const page = pageOf(asked)
  try {
    return await work(page)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error instanceof NotFound) return noticePage(page, page.words.notHere, page.words.notHereText, { status: 404 })
    const headers: Record<string, string> =
      error instanceof TooManyRequests ? { 'retry-after': String(error.retryAfterSeconds) } : {}
    const text = `${translateMessage(error.message, page.language)}.`
    return noticePage(page, page.words.didNotWork, text, { status: error.status, headers })
  }
}

/** The errors of a refusal that a form can show beside its fields; whatever else is thrown on. */
export const formErrorsOf = (error: unknown): ErrorMap => {
  if (error instanceof Refusal && (error.status === 422 || error.status === 400)) return error.errors
  throw error
}
