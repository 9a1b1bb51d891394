import { organizer } from '../../access/access.ts'
import type { CredentialKind } from '../../access/tokens.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { envelope } from '../../http/body.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { parsePathId } from '../../http/path-ids.ts'
import { deviceEndpoints } from './device-endpoints.ts'
import { createApiToken } from './issue.ts'
import { findCredential, findCredentials, findLiveSessions } from './records.ts'
import { revokeCredential, membershipFilterOf } from './revoke.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'
import { ApiToken, ApiTokenFields, ApiTokens, NewApiToken, Sessions, showSession, showToken } from './wire.ts'

const TOKENS: CredentialKind[] = ['account_token', 'personal_token']
const SESSIONS: CredentialKind[] = ['session']

const apiTokens = endpoint({
  method: 'GET',
  path: '/admin/api_tokens',
  operationId: 'listApiTokens',
  says: 'API tokens, newest first and without their secrets: an owner sees all of them, anyone else their own.',
  access: organizer('read'),
  answers: { 200: ApiTokens },
  handle: async ({ account }) => {
    const tokens = await findCredentials(account.rows, { kinds: TOKENS, membershipId: membershipFilterOf(account) })
    return ok({ api_tokens: tokens.map(showToken) })
  },
})

const apiToken = endpoint({
  method: 'GET',
  path: '/admin/api_tokens/:id',
  operationId: 'getApiToken',
  integerParams: ['id'],
  says: 'One API token, without its secret.',
  access: organizer('read'),
  exampleSetup: EXAMPLE_SETUPS.token,
  answers: { 200: ApiToken },
  handle: async ({ account, params }) => {
    const whose = { kinds: TOKENS, membershipId: membershipFilterOf(account) }
    return ok(showToken(requireFound(await findCredential(account.rows, whose, parsePathId(params.id)))))
  },
})

const apiTokenCreation = endpoint({
  method: 'POST',
  path: '/admin/api_tokens',
  operationId: 'createApiToken',
  says: 'Makes an API token and shows it this once. Account tokens are made by owners; a personal one acts as its maker.',
  access: organizer('write'),
  body: envelope('api_token', ApiTokenFields),
  example: { api_token: { description: 'Website', permission: 'read', kind: 'account' } },
  answers: { 201: NewApiToken },
  creates: true,
  handle: async ({ account, body }) => {
    const { row, token } = await createApiToken(account, body)
    return created({ ...showToken(row), token }, `/admin/api_tokens/${row.id}`)
  },
})

const apiTokenRevocation = endpoint({
  method: 'DELETE',
  path: '/admin/api_tokens/:id',
  operationId: 'revokeApiToken',
  integerParams: ['id'],
  says: 'Revokes an API token; its next request is refused.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.tokenRevocation,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await revokeCredential(account, TOKENS, membershipFilterOf(account), parsePathId(params.id))
    return noContent()
  },
})

const sessions = endpoint({
  method: 'GET',
  path: '/admin/sessions',
  operationId: 'listSessions',
  says: 'Browsers that are signed in, newest first: an owner sees everyone’s, anyone else their own.',
  access: organizer('read'),
  answers: { 200: Sessions },
  handle: async ({ account }) => {
    const live = await findLiveSessions(account.rows, membershipFilterOf(account))
    return ok({ sessions: live.map((row) => showSession(row, account.credential.id)) })
  },
})

const sessionEnd = endpoint({
  method: 'DELETE',
  path: '/admin/sessions/:id',
  operationId: 'endSession',
  integerParams: ['id'],
  says: 'Ends a session; the browser’s next request is refused.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.sessionEnd,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await revokeCredential(account, SESSIONS, membershipFilterOf(account), parsePathId(params.id))
    return noContent()
  },
})

export const credentialEndpoints = [
  apiTokens,
  apiToken,
  apiTokenCreation,
  apiTokenRevocation,
  ...deviceEndpoints,
  sessions,
  sessionEnd,
]
