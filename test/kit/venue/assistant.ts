import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { afterEveryTest } from '../tidying.ts'
import type { Venue } from './venue.ts'

// A test names the fields it is about.
// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

/** The official client, connected over HTTP with one token. */
export interface Assistant {
  client: Client
  tools(): Promise<Record<string, { description: string; inputSchema: Shown; annotations: Shown }>>
  /** What a tool answers, which must be no error. */
  does(tool: string, args: Record<string, unknown>): Promise<Shown>
  /** The refusal of a tool, which must be one. */
  fails(tool: string, args: Record<string, unknown>): Promise<Shown>
}

const connected: Client[] = []

afterEveryTest(async () => {
  for (const client of connected.splice(0)) await client.close()
})

export const openAssistant = async ({ origin }: Pick<Venue, 'origin'>, token: string): Promise<Assistant> => {
  const client = new Client({ name: 'tests', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', origin), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  connected.push(client)

  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
    return { shown: structuredContent as Shown, isError: isError ?? false }
  }
  return {
    client,
    tools: async () => {
      const { tools } = await client.listTools()
      return Object.fromEntries(
        tools.map(({ name, description = '', inputSchema, annotations }) => [
          name,
          { description, inputSchema, annotations },
        ]),
      )
    },
    does: async (tool, args) => {
      const { shown, isError } = await call(tool, args)
      expect(isError, JSON.stringify(shown)).toBe(false)
      return shown
    },
    fails: async (tool, args) => {
      const { shown, isError } = await call(tool, args)
      expect(isError, JSON.stringify(shown)).toBe(true)
      return shown
    },
  }
}

/** One tool with the token of this name, action by action. */
export const openTool = async (venue: Venue, token: string, tool: string, common: object = {}) => {
  const assistant = await openAssistant(venue, venue.report.api_tokens[token]!)
  const say =
    (how: 'does' | 'fails') =>
    (action: string, args: object = {}) =>
      assistant[how](tool, { action, ...common, ...args })
  return {
    ...assistant,
    does: say('does'),
    fails: say('fails'),
    /** The actions that the token sees; none where it does not see the tool. */
    actions: async (): Promise<string[]> => (await assistant.tools())[tool]?.inputSchema.properties.action.enum ?? [],
  }
}

/** Everything an account has in the database, to be compared before and after. */
export const everythingOf = async ({ app, report }: Pick<Venue, 'app' | 'report'>): Promise<Record<string, string>> => {
  const { pool } = app.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'account_id' order by table_name`,
  )
  expect(tables.length).toBeGreaterThan(20)
  const sums = tables.map(async ({ name }) => {
    // When somebody was last there is written down half a minute later, whatever happens then.
    const known = name === 'credentials' ? `to_jsonb(t) - 'last_used_at' - 'updated_at'` : 'to_jsonb(t)'
    const { rows } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(row, '|' order by row)), '') as sum
       from (
         select (${known})::text as row from public."${name}" t where account_id = $1
       ) rows`,
      [report.account.id],
    )
    return [name, rows[0]!.sum] as const
  })
  return Object.fromEntries(await Promise.all(sums))
}
