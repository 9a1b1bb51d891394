import { randomBytes } from 'node:crypto'
import { RawAnswer } from '../http/answers.ts'
import { TOKEN_STYLE } from '../pages/tokens.ts'
import { NONCE_PLACEHOLDER } from './rules.ts'

/**
 * The page of a front. Scripts and styles are files of our own; what components write as style elements while they run
 * carries a nonce that is another in each answer, so the answer is never kept.
 */
export const answerFrontPage = (page: string, uploadOrigins: readonly string[]): RawAnswer => {
  const nonce = randomBytes(16).toString('base64')
  const withTokens = page.replace('</head>', `<style nonce="${NONCE_PLACEHOLDER}">${TOKEN_STYLE}</style></head>`)
  return new RawAnswer(
    200,
    {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(nonce, uploadOrigins),
      // Vouchers are scanned at the desk.
      'permissions-policy': 'camera=(self)',
      'cache-control': 'private, no-store',
      'referrer-policy': 'same-origin',
    },
    withTokens.replaceAll(NONCE_PLACEHOLDER, nonce),
  )
}

/** Uploads go straight to where they are kept, which may be a store of its own. */
const policyOf = (nonce: string, uploadOrigins: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    ["connect-src 'self'", ...uploadOrigins].join(' '),
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
