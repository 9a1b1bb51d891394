import { type Html, html } from '../kernel/html.ts'
import { type Schema, notesOf, prose, rowsOf, typeOf } from './api-page-fields.ts'

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

const showTable = (label: string, heads: readonly [string, string, string, string], rows: readonly Html[]) =>
  html`<div class="scroll" role="group" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col" class="first">${heads[0]}</th>
          <th scope="col" class="second">${heads[1]}</th>
          <th scope="col" class="third">${heads[2]}</th>
          <th scope="col">${heads[3]}</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div> `

/** Requests say what must be sent, answers what can be relied on. */
const PRESENCE = {
  request: { head: 'Required', yes: 'required', no: 'optional' },
  answer: { head: 'Present', yes: 'always', no: 'may be absent' },
} as const

type Side = keyof typeof PRESENCE

const showPresence = (side: Side, isRequired: boolean) => {
  const { yes, no } = PRESENCE[side]
  if (!isRequired) return html`<span class="muted">${no}</span>`
  return side === 'request' ? html`<span class="must">${yes}</span>` : html`${yes}`
}

export const showParameters = (parameters: readonly Parameter[], address: string) =>
  showTable(
    `Parameters of ${address}`,
    ['Name', 'Type', PRESENCE.request.head, 'Notes'],
    parameters.map(
      ({ name, in: place, required, description, schema = {} }) =>
        html`<tr>
          <th scope="row"><code>${name}</code> <span class="muted">in the ${place}</span></th>
          <td>${typeOf(schema)}</td>
          <td>${showPresence('request', required ?? false)}</td>
          <td>${notesOf({ ...schema, description: description ?? schema.description })}</td>
        </tr>`,
    ),
  )

export const showFields = (schema: Schema, side: Side, label: string) => {
  const rows = rowsOf(schema)
  if (rows.length === 0) return null
  return showTable(
    label,
    ['Field', 'Type', PRESENCE[side].head, 'Notes'],
    rows.map((row) =>
      'variant' in row
        ? html`<tr class="variant">
            <th colspan="4" scope="rowgroup">${prose(row.variant)}</th>
          </tr>`
        : html`<tr>
            <th scope="row">
              <code><span class="muted">${row.within}</span>${row.name}</code>
            </th>
            <td>${typeOf(row.schema)}</td>
            <td>${showPresence(side, row.isRequired)}</td>
            <td>${notesOf(row.schema)}</td>
          </tr>`,
    ),
  )
}

export const showJson = (value: unknown) => html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`

/** An object is told by its fields; anything else says first what it is. */
export const showType = (schema: Schema) =>
  schema.type === 'object' && schema.properties ? null : html`<p>${typeOf(schema)}</p>`
