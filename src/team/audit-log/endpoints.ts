import type { z } from 'zod'
import { accountOwner } from '../../access/access.ts'
import { ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Invalid } from '../../kernel/refusals.ts'
import { INVALID_MESSAGE } from '../../kernel/messages.ts'
import { type AuditFilter, findAuditEntries } from './records.ts'
import { AuditLog, AuditQuery, showAuditEntry } from './wire.ts'

const LIMIT = 50
const LIMIT_MAX = 100

type Query = z.output<typeof AuditQuery>

const auditLog = endpoint({
  method: 'GET',
  path: '/admin/audit_log',
  operationId: 'listAuditLog',
  says: 'Who did what, when and with which credential, newest first. For owners.',
  access: accountOwner('read'),
  query: AuditQuery,
  answers: { 200: AuditLog },
  handle: async ({ account, query }) => {
    const filter = readFilter(query)
    const rows = await findAuditEntries(account.rows, { ...filter, limit: filter.limit + 1 })
    const entries = rows.slice(0, filter.limit)
    const next = rows.length > filter.limit ? String(entries.at(-1)!.id) : null
    return ok(
      { entries: entries.map(showAuditEntry), pagination: { next_page: next } },
      next ? { link: `<${account.app.settings.baseUrl}${addressOf(query, next)}>; rel="next"` } : undefined,
    )
  },
})

/** A filter that cannot be read would show too much, so it is refused. */
const readFilter = (query: Query): AuditFilter => ({
  actorId: readNumber('actor_id', query.actor_id),
  credentialId: readNumber('credential_id', query.credential_id),
  action: query.action,
  from: readTime('from', query.from),
  to: readTime('to', query.to),
  before: readNumber('page', query.page),
  limit: /^\d{1,9}$/.test(query.limit) ? Math.min(LIMIT_MAX, Math.max(1, Number(query.limit))) : LIMIT,
})

const readNumber = (name: string, text: string): number | null => {
  if (text === '') return null
  if (!/^\d{1,15}$/.test(text)) throw new Invalid({ [name]: [INVALID_MESSAGE] })
  return Number(text)
}

const readTime = (name: string, text: string): Date | null => {
  if (text === '') return null
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : null
  if (!time || Number.isNaN(time.getTime())) throw new Invalid({ [name]: [INVALID_MESSAGE] })
  return time
}

const addressOf = (query: Query, page: string) => {
  const parameters = Object.entries({ ...query, page }).filter(([, value]) => value !== '')
  return `/admin/audit_log?${new URLSearchParams(parameters).toString()}`
}

export const auditLogEndpoints = [auditLog]
