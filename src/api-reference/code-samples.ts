import type { Endpoint } from '../http/endpoint.ts'
import {
  type ExampleCaller,
  DEMO_EVENT,
  DEMO_OWNER,
  DEMO_SHOP,
  type PrecedingCall,
  type ExampleContent,
  type ValueCapture,
  type ExampleSetup,
} from '../http/example-setup.ts'

/** Where the examples of the API description are at home. They name the demo venue, so that they work when pasted. */
export interface ExampleAddresses {
  baseUrl: string
  shopUrl: string
}

export const DEFAULT_EXAMPLE_ADDRESSES: ExampleAddresses = {
  baseUrl: 'http://localhost:3000',
  shopUrl: `http://${DEMO_SHOP}.localhost:3000`,
}

/** What each of them shows. The variables hold what the banner prints. */
const CREDENTIALS: Record<ExampleCaller, string> = {
  account: '-H "Authorization: Bearer $FOYER_TOKEN"',
  member: '-b "$FOYER_SESSION"',
  device: '-H "Authorization: Bearer $FOYER_DOOR_TOKEN"',
}

interface Call extends ExampleContent {
  method: string
  address: string
  by: ExampleCaller | null
  isQuiet?: boolean
}

/** The example of an endpoint as lines of shell that can be pasted as they are. */
export const curlExampleOf = (endpoint: Endpoint, { baseUrl, shopUrl }: ExampleAddresses): string => {
  const { method, path, access, example, exampleSetup = {} } = endpoint
  const known = examplePathValues(exampleSetup)
  const filled = path.replace(/:([a-z_]+)/g, (_, name: string) => known[name] ?? `$${name}`)
  const lines = (exampleSetup.before ?? []).flatMap((preparation) => prepare(preparation, baseUrl))
  const call = callOf({
    ...exampleSetup,
    method,
    address: `${access.site === 'shop' ? shopUrl : baseUrl}${filled}${exampleSetup.query ? `?${exampleSetup.query}` : ''}`,
    body: exampleSetup.body ?? example,
    by: access.needsCredential ? (exampleSetup.by ?? askerAt(path)) : null,
  })
  return [...lines, call.join(' \\\n  ')].join('\n')
}

/** What the shell must know before any example is pasted. */
export const exampleShellVariables = ({ baseUrl }: ExampleAddresses): string =>
  [
    'export FOYER_TOKEN=…            # "Write token" of the banner',
    'export FOYER_DOOR_TOKEN=…       # "Door device"',
    `export FOYER_PASSWORD=…         # "Console": the password of ${DEMO_OWNER}`,
    `export FOYER_SESSION=$(curl -s -D - -o /dev/null ${baseUrl}/sign_in -d email=${DEMO_OWNER} -d "password=$FOYER_PASSWORD" | grep -io '[_a-z-]*foyer_session=[^;]*')`,
  ].join('\n')

/** Parts of a path that are the same in every demo. */
export const examplePathValues = ({ values }: ExampleSetup = {}): Readonly<Record<string, string>> => ({
  event_slug: DEMO_EVENT,
  slug: DEMO_EVENT,
  ...values,
})

const askerAt = (path: string): ExampleCaller => (path.startsWith('/scanner/') ? 'device' : 'account')

const prepare = ({ call, by, take = [], ...sent }: PrecedingCall, baseUrl: string): string[] => {
  const [method = '', path = ''] = call.split(' ')
  const isOpen = !path.startsWith('/admin/') && !path.startsWith('/scanner/')
  const address = path.startsWith('/') ? baseUrl + path : path
  const line = callOf({ ...sent, method, address, by: isOpen ? null : (by ?? askerAt(path)), isQuiet: true }).join(' ')
  if (take.length === 0) return [`${line} > /dev/null`]
  if (take.length === 1) return [`${variable(take[0]!.as)}=$(${line} | ${search(take[0]!)})`]
  return [`ANSWER=$(${line})`, ...take.map((each) => `${variable(each.as)}=$(printf '%s' "$ANSWER" | ${search(each)})`)]
}

const variable = (name: string) => name.toUpperCase()

/** Answers come without spaces, so that the tools of any shell can take them apart. */
const search = ({ key, nth = 1, upTo, after }: ValueCapture) =>
  [
    upTo && `sed 's|${upTo}.*||'`,
    `grep -o '"${key}":"*[^",}]*' | ${upTo ? 'tail -n 1' : `sed -n ${nth}p`} | cut -d : -f 2- | tr -d '"'`,
    after && `sed 's|.*${after}||'`,
  ]
    .filter((part) => part)
    .join(' | ')

const callOf = ({ method, address, by, isQuiet, body, form = {}, file }: Call): string[] =>
  [
    `${file ? `printf '%s' '${file.base64}' | base64 -d | ` : ''}curl${isQuiet ? ' -s' : ''}${method === 'GET' ? '' : ` -X ${method}`} "${filled(address)}"`,
    by && CREDENTIALS[by],
    ...Object.entries(form).map(([name, value]) => `-d "${name}=${value}"`),
    file && `-H 'Content-Type: ${file.type}' --data-binary @-`,
    body !== undefined && "-H 'Content-Type: application/json'",
    body !== undefined && `-d ${quoted(JSON.stringify(body))}`,
  ].filter((part) => part !== null && part !== false && part !== undefined)

const filled = (address: string) => address.replaceAll(/\$([a-z_]+)/g, (_, name: string) => `$${variable(name)}`)

/** In single quotes but for `$name`, which the shell is to fill in. */
const quoted = (text: string) =>
  `'${text.replaceAll("'", `'\\''`).replaceAll(/"\$([a-z_]+)"/g, (_, name: string) => `"'"$${variable(name)}"'"`)}'`
