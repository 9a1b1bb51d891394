import type { ObtainGrant } from '../access/access.ts'
import type { CallerScope, TransactionDb } from '../access/scopes.ts'
import {
  type InternalCaller,
  type QueryValue,
  type InternalRequest,
  type ShownAnswer,
  callEndpointInternally,
  dryRunEndpoint,
} from '../http/call-endpoint.ts'
import { isRecord } from '../http/body.ts'
import { refusedAnswerOf } from '../http/refuse.ts'
import { type ErrorMap, Invalid, Refusal } from '../kernel/refusals.ts'
import { BLANK_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { resolveEventSlug } from './events-by-name.ts'
import { UnresolvedName } from './names.ts'
import { readParameters } from './parameters.ts'
import { type ToolAction, type ToolCall, type Tool, isReadOnly, canUse, requiredParametersOf } from './tool.ts'

/** Who uses the tools: a caller who was let in, and a way to ask every endpoint as that caller. */
export interface ToolCaller {
  account: CallerScope
  open: ObtainGrant
  ip: string
}

export interface ToolResult {
  isError: boolean
  result: Record<string, unknown>
}

/** Carries out one action of a tool, or says why not. It knows nothing of the protocol that asked for it. */
export const callTool = async (
  desk: ToolCaller,
  tool: Tool,
  sent: Readonly<Record<string, unknown>>,
): Promise<ToolResult> => {
  const outcome = await run(desk, tool, sent).catch((error: unknown) => ({
    isError: true,
    result: tellRefusal(desk, tool, error),
  }))
  logCall(desk, tool, sent['action'], outcome)
  return outcome
}

/** The names of the tool and the action, and nothing of what was sent or answered. */
const logCall = ({ account }: ToolCaller, tool: Tool, action: unknown, { isError, result }: ToolResult) =>
  account.app.log.info(
    {
      tool: tool.name,
      action: typeof action === 'string' && Object.hasOwn(tool.actions, action) ? action : 'unknown',
      account: account.account.id,
      credential: account.credential.id,
      ...(isError && { refused: result['status'] }),
    },
    'assistant',
  )

const run = async (desk: ToolCaller, tool: Tool, { action: name, ...sent }: Readonly<Record<string, unknown>>) => {
  const action = actionNamed(desk, tool, name)
  // What the credential may not do is refused before anything is looked up for it.
  action.calls.access.requires?.(desk.account.caller)
  const given = readParameters(tool.parameters, sent)
  requireNeeds(action, given)

  const remark = `${tool.name} ${String(name)}`
  if (!isReadOnly(action)) return carryOut(action, openCall(desk, remark, given, null))
  // However many endpoints it takes to answer, the answer is of one moment.
  return desk.account.consistentRead((held) => carryOut(action, openCall(desk, remark, given, held)))
}

const carryOut = async (action: ToolAction, call: OpenCall): Promise<ToolResult> => {
  const question = await questionOf(action, call)
  if (isDryRun(action, call)) return foretell(action, call, question)
  return tell(action, call, await callEndpointInternally(call.asking, action.calls, question))
}

/** Nothing is done against an explicit no, also where no yes is needed. */
const isDryRun = ({ confirm, dryRun }: ToolAction, { given }: ToolCall): boolean => {
  if (confirm !== undefined) return given.confirmed !== true
  return dryRun !== undefined && ((given as Record<string, unknown>)['dry_run'] === true || given.confirmed === false)
}

const actionNamed = ({ account }: ToolCaller, tool: Tool, name: unknown): ToolAction => {
  const action = typeof name === 'string' && Object.hasOwn(tool.actions, name) ? tool.actions[name] : undefined
  if (action) return action
  const isMissing = name === undefined || name === null || name === ''
  const open = Object.entries(tool.actions).filter(([, each]) => canUse(account.caller, each))
  throw new UnresolvedName(
    'action',
    isMissing ? BLANK_MESSAGE : NOT_INCLUDED_MESSAGE,
    open.map(([each, { says }]) => ({ action: each, says })),
  )
}

interface OpenCall extends ToolCall {
  asking: InternalCaller
}

const openCall = (
  desk: ToolCaller,
  remark: string,
  given: Record<string, unknown>,
  held: TransactionDb | null,
): OpenCall => {
  const looked = new Map<string, Promise<unknown>>()
  const asking: InternalCaller = { open: desk.open, ip: desk.ip, remark: { assistant: remark }, held }
  const call: OpenCall = {
    given,
    caller: desk.account.caller,
    asking,
    ask: async <Shown>(endpoint: Parameters<ToolCall['ask']>[0], question: InternalRequest = {}) =>
      (await callEndpointInternally(asking, endpoint, question)).body as Shown,
    eventSlug: () => call.once('event', () => resolveEventSlug(call)),
    once: <T>(what: string, look: () => Promise<T>) => {
      const known = looked.get(what) ?? look()
      looked.set(what, known)
      return known as Promise<T>
    },
  }
  return call
}

const requireNeeds = (action: ToolAction, given: Readonly<Record<string, unknown>>) => {
  const missing = requiredParametersOf(action).filter((name) => isBlank(given[name]))
  if (missing.length > 0) throw new Invalid(Object.fromEntries(missing.map((name) => [name, [BLANK_MESSAGE]])))
}

const isBlank = (value: unknown) => value === undefined || (typeof value === 'string' && value.trim() === '')

const questionOf = async (action: ToolAction, call: ToolCall): Promise<InternalRequest> => {
  const given = call.given as Record<string, unknown>
  const params: Record<string, string> = {}
  if (action.calls.path.includes(':event_slug')) params['event_slug'] = await call.eventSlug()
  for (const [part, from] of Object.entries(action.path ?? {})) {
    params[part] = typeof from === 'string' ? String(given[from]).trim() : await from(call)
  }
  const query: Record<string, QueryValue> = {}
  for (const [field, from] of Object.entries(action.query ?? {})) {
    query[field] = typeof from === 'string' ? (given[from] as QueryValue) : await from(call)
  }
  return { params, query, body: await action.body?.(call) }
}

const tell = async (action: ToolAction, call: ToolCall, { status, body }: ShownAnswer): Promise<ToolResult> => {
  if (status >= 400) return { isError: true, result: { status, ...declaredRefusal(body) } }
  if (body === null) return { isError: false, result: { done: true } }
  const show = action.show as ((answer: unknown, call: ToolCall) => object | Promise<object>) | undefined
  return { isError: false, result: (show ? await show(body, call) : body) as Record<string, unknown> }
}

/** The door says no with a sentence and the ticket it is about. */
const declaredRefusal = (body: unknown) => {
  const { error, ...rest } = isRecord(body) ? body : {}
  return { errors: { base: [String(error)] }, ...rest }
}

const TO_CONFIRM =
  'Nothing has changed. If the person you work for agrees, send the same call again with confirmed: true.'
const TO_DO_IT = 'Nothing has changed. The same call without dry_run carries it out at once.'

const foretell = async (action: ToolAction, call: OpenCall, question: InternalRequest): Promise<ToolResult> => {
  const result = {
    dry_run: true,
    ...(action.confirm !== undefined && { confirmation_needed: true }),
    would: action.confirm ?? action.dryRun,
    with: echo(question),
  }
  const next = action.confirm === undefined ? TO_DO_IT : TO_CONFIRM
  if (action.foresee) return { isError: false, result: { ...result, now: await action.foresee(call), next } }

  const rehearsed = await dryRunEndpoint(call.asking, action.calls, question)
  const told = action.previews ? { afterwards: (await tell(action, call, rehearsed)).result } : {}
  return { isError: false, result: { ...result, ...told, next } }
}

const echo = ({ params, body }: InternalRequest) => ({ ...params, ...(isRecord(body) && body) })

const tellRefusal = ({ account }: ToolCaller, { renames = {} }: Tool, error: unknown): Record<string, unknown> => {
  if (error instanceof Refusal) {
    return {
      status: error.status,
      errors: renamed(error.errors, renames),
      ...(error instanceof UnresolvedName && { choices: error.choices }),
    }
  }
  const { status, body } = refusedAnswerOf(error, 'errors', account.app.log, { account: account.account.id })
  return { status, ...(JSON.parse(body) as object) }
}

const renamed = (errors: ErrorMap, renames: Readonly<Record<string, string>>): ErrorMap => {
  const told: ErrorMap = {}
  for (const [field, messages] of Object.entries(errors)) {
    const name = Object.hasOwn(renames, field) ? renames[field]! : field
    told[name] = [...(told[name] ?? []), ...messages]
  }
  return told
}
