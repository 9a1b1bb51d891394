import { html } from '../kernel/html.ts'
import { type Schema, type Schemas, anchorOf, nameOf, prose, sampleOf, typeOf } from './api-page-fields.ts'
import { type Parameter, showFields, showJson, showParameters, showType } from './api-page-tables.ts'

interface Content {
  schema?: Schema
  example?: unknown
}

interface AnswerDescription {
  description: string
  headers?: Record<string, { description?: string; schema?: Schema }>
  content?: Record<string, Content>
}

export interface Operation {
  operationId: string
  summary?: string
  tags?: string[]
  'x-access'?: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, AnswerDescription>
  'x-codeSamples'?: { source: string }[]
}

/** An operation with the address it is asked at. */
export interface Placed extends Operation {
  method: string
  path: string
}

export const showMethod = (method: string) => html`<span class="method ${method.toLowerCase()}">${method}</span>`

/** Breaks an address only where a reader would. */
export const showPath = (path: string) =>
  html`${path.split('/').map((part, index) => (index > 0 ? html`/<wbr />${part}` : part))}`

export const showOperation = (operation: Placed, schemas: Schemas) => {
  const { method, path, summary, parameters = [], requestBody, responses } = operation
  const anchor = anchorOf('operation', operation.operationId)
  const address = `${method} ${path}`
  return html`<article id="${anchor}" aria-labelledby="${anchor}-title">
    <h3 id="${anchor}-title">
      ${showMethod(method)} <a href="#${anchor}"><code>${showPath(path)}</code></a>
    </h3>
    ${summary && html`<p>${prose(summary)}</p>`}
    ${operation['x-access'] && html`<p class="muted">Who may call it: ${operation['x-access']}</p>`}
    ${
      parameters.length > 0 &&
      html`<h4>Parameters</h4>
        ${showParameters(parameters, address)}`
    }
    ${requestBody && showBody(requestBody.content, schemas, address)}
    <h4>Answers</h4>
    ${Object.entries(responses).map(([status, answer]) => showAnswer(status, answer, schemas, address))}
    <h4>Call</h4>
    ${(operation['x-codeSamples'] ?? []).map(({ source }) => html`<pre class="paste"><code>${source}</code></pre>`)}
  </article> `
}

const exampleOf = ({ schema, example }: Content, schemas: Schemas) =>
  example === undefined && schema ? sampleOf(schema, schemas) : example

const showBody = (content: Record<string, Content>, schemas: Schemas, address: string) =>
  Object.entries(content).map(
    ([type, each]) =>
      html`<h4>Body <span class="muted">${type}</span></h4>
        ${each.schema && html`${showType(each.schema)}${showFields(each.schema, 'request', `Body of ${address}`)}`}
        <p class="muted">Example</p>
        ${showJson(exampleOf(each, schemas))} `,
  )

const showAnswer = (status: string, answer: AnswerDescription, schemas: Schemas, address: string) => {
  const contents = Object.values(answer.content ?? {})
  const isDefault = status === 'default'
  return html`<div class="answer">
    <p>
      ${!isDefault && html`<span class="status">${status}</span> `}${answer.description}${
        contents.length === 0 && status !== '204' && html` <span class="muted">without content</span>`
      }${contents.map(({ schema }) => schema && nameOf(schema) && html`: ${typeOf(schema)}`)}
    </p>
    ${Object.entries(answer.headers ?? {}).map(
      ([name, { description }]) =>
        html`<p class="muted">Header <code>${name}</code>${description && html`: ${prose(description)}`}</p>`,
    )}
    ${contents.map(
      (content) =>
        html`${
            content.schema &&
            !nameOf(content.schema) &&
            html`${showType(content.schema)}${showFields(content.schema, 'answer', `Answer ${status} of ${address}`)}`
          }
          <details>
            <summary>Example ${isDefault ? 'of a refusal' : `of ${status}`}</summary>
            ${showJson(exampleOf(content, schemas))}
          </details>`,
    )}
  </div> `
}
