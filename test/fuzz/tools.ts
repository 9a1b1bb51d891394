import { toolsOf } from '../../src/assistant/tools.ts'
import { ENDPOINTS } from '../../src/main.ts'
import type { Operation } from './requests.ts'
import type { Schema } from './schemas.ts'

const TOOLS = toolsOf(ENDPOINTS)

const argumentsOf = (tool: (typeof TOOLS)[number], action: string): Schema => ({
  properties: {
    action: { enum: [action] },
    ...Object.fromEntries(Object.entries(tool.parameters).map(([name, { schema }]) => [name, schema as Schema])),
  },
  required: ['action', 'event_title'],
})

/** Every action of every tool of an assistant, each an operation of its own at the one address they share. */
export const TOOL_OPERATIONS: readonly Operation[] = TOOLS.flatMap((tool) =>
  Object.keys(tool.actions).map((action): Operation => ({
    name: `${tool.name} ${action}`,
    endpoint: ENDPOINTS.find(({ method, path }) => method === 'POST' && path === '/mcp')!,
    family: '',
    query: {},
    body: {
      example: undefined,
      schema: {
        properties: {
          jsonrpc: { enum: ['2.0'] },
          id: { type: 'integer' },
          method: { enum: ['tools/call'] },
          params: {
            properties: { name: { enum: [tool.name] }, arguments: argumentsOf(tool, action) },
            required: ['name', 'arguments'],
          },
        },
        required: ['jsonrpc', 'id', 'method', 'params'],
      },
    },
  })),
)

/** A tool that failed says so inside of an answer that is fine as far as HTTP goes. */
export const isToolFailure = (body: unknown): boolean => {
  const { result } = (body ?? {}) as { result?: { structuredContent?: { status?: unknown } } }
  const status = result?.structuredContent?.status
  return typeof status === 'number' && status >= 500
}
