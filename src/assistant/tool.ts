import type { Caller } from '../access/callers.ts'
import type { QueryValue, InternalRequest } from '../http/call-endpoint.ts'
import type { Endpoint, Method } from '../http/endpoint.ts'
import { Refusal } from '../kernel/refusals.ts'
import { type GivenParameters, type Parameters, confirmation, text } from './parameters.ts'

/** What every tool takes. */
export const COMMON_PARAMETERS = {
  event_title: text('The event: its title or its slug, in any case. manage_events lists them.'),
  confirmed: confirmation(
    'True carries the action out; anything else is a dry run that changes nothing and says what would happen. ' +
      'Send true only after the person you work for has agreed to exactly this.',
  ),
} satisfies Parameters

type Common = typeof COMMON_PARAMETERS
type NameOf<P> = Extract<keyof (P & Common), string>

/** One call of an action, with what it was given and a way to ask on, as the same caller. */
export interface ToolCall<P extends Parameters = Parameters> {
  readonly given: GivenParameters<P & Common>
  readonly caller: Caller
  ask<Shown>(endpoint: Endpoint, question?: InternalRequest): Promise<Shown>
  /** The slug of `event_title`. */
  eventSlug(): Promise<string>
  /** Does a look-up once, however often it is needed. */
  once<T>(what: string, look: () => Promise<T>): Promise<T>
}

/**
 * An action is a listing: the endpoint it stands for, and which parameter goes where. Who may do it, what it does and
 * what it refuses is the endpoint's business.
 */
export interface ToolAction<P extends Parameters = Parameters> {
  says: string
  calls: Endpoint
  /** The parts of the path: parameters by name, or looked up. The event of a path is always `event_title`. */
  path?: Readonly<Record<string, NameOf<P> | ((call: ToolCall<P>) => Promise<string>)>>
  query?: Readonly<Record<string, NameOf<P> | ((call: ToolCall<P>) => QueryValue | Promise<QueryValue>)>>
  body?: (call: ToolCall<P>) => unknown
  /** Parameters it cannot do without, beside those of the path. */
  needs?: readonly NameOf<P>[]
  /** Parameters it understands, beside those of the query. */
  takes?: readonly NameOf<P>[]
  /** What will happen. An action with this sentence is carried out only when confirmed, and until then a dry run. */
  confirm?: string
  /** The same for an action that is carried out at once, and is a dry run only where `dry_run` asks for one. */
  dryRun?: string
  /**
   * What the dry run looks at, for an action whose effect cannot be rolled back with its transaction. The others are
   * rehearsed.
   */
  foresee?: (call: ToolCall<P>) => Promise<object>
  /** Whether what the rehearsal answers is true of the real thing, too: nothing drawn by chance is in it. */
  previews?: true
  show?: (answer: never, call: ToolCall<P>) => object | Promise<object>
}

export interface Tool<P extends Parameters = Parameters> {
  name: string
  title: string
  says: string
  parameters: P
  actions: Readonly<Record<string, ToolAction<P>>>
  /** What an endpoint calls a field that has another name here, so that a refusal speaks of the parameter. */
  renames?: Readonly<Record<string, string>>
}

/** The types of the parameters are for whoever writes the actions; Foyer holds tools without them. */
export const defineTool = <const P extends Parameters>(spec: Tool<P>): Tool =>
  ({ ...spec, parameters: { ...spec.parameters, ...COMMON_PARAMETERS } }) as unknown as Tool

/** The endpoint of a room, by the line that the API description has for it. */
export const endpointFinder = (endpoints: readonly Endpoint[]) => {
  return (line: `${Method} /${string}`): Endpoint => {
    const found = endpoints.find(({ method, path }) => `${method} ${path}` === line)
    if (!found) throw new Error(`There is no endpoint ${line}`)
    return found
  }
}

const pathParameters = ({ calls, path = {} }: ToolAction) => [
  ...(calls.path.includes(':event_slug') ? ['event_title'] : []),
  ...Object.values(path).filter((each) => typeof each === 'string'),
]

export const requiredParametersOf = (action: ToolAction): string[] => [
  ...new Set([...pathParameters(action), ...(action.needs ?? [])]),
]

export const optionalParametersOf = (action: ToolAction): string[] => {
  const queried = Object.values(action.query ?? {}).filter((each) => typeof each === 'string')
  const needed = requiredParametersOf(action)
  return [...new Set([...queried, ...(action.takes ?? [])])].filter((name) => !needed.includes(name))
}

export const canUse = (caller: Caller, { calls }: ToolAction): boolean => {
  try {
    calls.access.requires?.(caller)
    return true
  } catch (refusal) {
    if (refusal instanceof Refusal) return false
    throw refusal
  }
}

export const isReadOnly = ({ calls }: ToolAction) => calls.access.permission === 'read'

export interface DescribedTool {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  annotations: { title: string; readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean }
}

/** The tool as this caller may use it, or null where nothing of it is open to them. */
export const describeTool = (
  caller: Caller,
  { name, title, says, parameters, actions }: Tool,
): DescribedTool | null => {
  const open = Object.entries(actions).filter(([, action]) => canUse(caller, action))
  if (open.length === 0) return null

  const used = new Set(open.flatMap(([, action]) => [...requiredParametersOf(action), ...optionalParametersOf(action)]))
  if (open.some(([, action]) => action.confirm)) used.add('confirmed')
  if (open.some(([, action]) => action.dryRun)) used.add('dry_run')
  const properties = Object.entries(parameters).filter(([parameter]) => used.has(parameter))
  const isHarmless = open.every(([, action]) => isReadOnly(action))

  return {
    name,
    title,
    description: [says, '', 'Actions:', ...open.map(([action, listing]) => describeAction(action, listing))].join('\n'),
    inputSchema: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: open.map(([action]) => action), description: 'What to do.' },
        ...Object.fromEntries(properties.map(([parameter, { schema }]) => [parameter, schema])),
      },
      required: ['action'],
      additionalProperties: false,
    },
    annotations: { title, readOnlyHint: isHarmless, destructiveHint: !isHarmless, openWorldHint: !isHarmless },
  }
}

const describeAction = (name: string, action: ToolAction) => {
  const needs = requiredParametersOf(action)
  const takes = optionalParametersOf(action)
  return [
    `- ${name}: ${action.says}`,
    ...(needs.length > 0 ? [`Needs ${needs.join(', ')}.`] : []),
    ...(takes.length > 0 ? [`Takes ${takes.join(', ')}.`] : []),
    ...(action.confirm ? ['A dry run unless confirmed is true.'] : []),
    ...(action.dryRun ? ['Carried out at once; a dry run if dry_run is true.'] : []),
  ].join(' ')
}
