type Json = Record<string, unknown>

/** The API description as types that openapi-fetch reads: one entry for every path, method and status. */
export const generateApiTypes = (description: Json): string => {
  const { schemas, responses } = description['components'] as { schemas: Record<string, Json>; responses: Json }
  const operations = Object.entries(description['paths'] as Record<string, Record<string, Json>>).map(
    ([path, methods]) =>
      `  ${JSON.stringify(path)}: {\n${Object.entries(methods)
        .map(([method, operation]) => `    ${method}: ${operationType(operation, responses)}`)
        .join('\n')}\n  }`,
  )
  return [
    '// Written by "npm run types:api" from docs/openapi.json; do not edit.',
    '',
    'export interface Schemas {',
    ...Object.entries(schemas).map(([name, schema]) => `  ${name}: ${typeOf(schema)}`),
    '}',
    '',
    'export interface paths {',
    ...operations,
    '}',
    '',
  ].join('\n')
}

const operationType = (operation: Json, named: Json) => {
  const body = operation['requestBody'] as { required: boolean; content: Json } | undefined
  const answers = Object.entries(operation['responses'] as Record<string, Json>).map(([status, answer]) => {
    const { content } = refersTo(answer) ? (named[refersTo(answer)!] as Json) : answer
    return `${status}: { headers: Record<string, string>; ${content ? `content: ${contentType(content as Json)}` : 'content?: never'} }`
  })
  return object([
    `parameters: ${parametersType((operation['parameters'] ?? []) as Json[])}`,
    ...(body ? [`requestBody${body.required ? '' : '?'}: { content: ${contentType(body.content)} }`] : []),
    `responses: ${object(answers)}`,
  ])
}

const contentType = (content: Json) =>
  object(
    Object.entries(content as Record<string, { schema: Json }>).map(
      ([media, { schema }]) => `${key(media)}: ${typeOf(schema)}`,
    ),
  )

const parametersType = (parameters: Json[]) =>
  object(
    ['query', 'header', 'path'].map((place) => {
      const here = parameters.filter((each) => each['in'] === place)
      if (here.length === 0) return `${place}?: never`
      const fields = here.map((each) => field(String(each['name']), each['schema'] as Json, each['required'] === true))
      return `${place}${here.some((each) => each['required']) ? '' : '?'}: ${object(fields)}`
    }),
  )

const typeOf = (schema: Json): string => {
  const name = refersTo(schema)
  if (name) return `Schemas['${name}']`
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (schema['enum']) return (schema['enum'] as unknown[]).map((each) => JSON.stringify(each)).join(' | ')
  if (schema['anyOf']) return union((schema['anyOf'] as Json[]).map(typeOf))
  const types = [(schema['type'] ?? 'unknown') as string | string[]].flat()
  return union(types.map((type) => plainType(type, schema)))
}

const plainType = (type: string, schema: Json): string => {
  if (type === 'integer') return 'number'
  if (type === 'array') return `Array<${typeOf((schema['items'] ?? {}) as Json)}>`
  if (type !== 'object') return type
  const required = new Set((schema['required'] ?? []) as string[])
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
  if (fields.length > 0) return object(fields.map(([name, each]) => field(name, each, required.has(name))))
  const others = schema['additionalProperties']
  return `Record<string, ${typeof others === 'object' ? typeOf(others as Json) : 'unknown'}>`
}

const refersTo = (schema: Json) => (schema['$ref'] as string | undefined)?.split('/').at(-1)
const union = (types: string[]) => Array.from(new Set(types)).join(' | ')
const object = (fields: string[]) => `{ ${fields.join('; ')} }`
const key = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name))
const field = (name: string, schema: Json, isRequired: boolean) =>
  `${key(name)}${isRequired ? '' : '?'}: ${typeOf(schema)}`
