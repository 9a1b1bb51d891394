import { html, inlineSource, raw } from '../kernel/html.ts'
import { type Schemas, anchorOf, prose, sampleOf } from './api-page-fields.ts'
import { type Operation, type Placed, showMethod, showOperation, showPath } from './api-page-operation.ts'
import { STYLE } from './api-page-style.ts'
import { showFields, showJson, showType } from './api-page-tables.ts'

interface Description {
  info: { title: string; version: string; description?: string; license?: { name: string } }
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Schemas }
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${inlineSource(STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Made apart from the template, whose formatting would change the hash. */
const STYLE_ELEMENT = raw(`<style>${STYLE}</style>`)

/** The API description as a page that needs no script and nothing from elsewhere. */
export const apiPage = (
  description: Record<string, unknown>,
  variables: string,
): { html: string; contentSecurityPolicy: string } => {
  const { info, paths, components } = description as unknown as Description
  const schemas = components?.schemas ?? {}
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
  const rooms = Array.from(Map.groupBy(operations, ({ tags }) => tags?.[0] ?? 'other'))

  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title} API ${info.version}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${showContents(rooms, schemas)}
        <header>
          <h1>${info.title} API</h1>
          <p class="muted">Version ${info.version}, also as <a href="/openapi.json">OpenAPI 3.1</a></p>
          ${info.description && html`<p>${prose(info.description)}</p>`}
        </header>
        <main id="content" tabindex="-1">
          ${showTrying(variables)} ${rooms.map(([tag, each]) => showRoom(tag, each, schemas))} ${showResources(schemas)}
        </main>
        <footer>${info.license && html`<p>${info.title} is free software under ${info.license.name}.</p>`}</footer>
      </body>
    </html> `
  return { html: page.markup, contentSecurityPolicy: CONTENT_SECURITY_POLICY }
}

const titleOf = (tag: string) => {
  const words = tag.replaceAll(/[_-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const showContents = (rooms: [string, Placed[]][], schemas: Schemas) =>
  html`<nav aria-labelledby="contents">
    <h2 id="contents">Contents</h2>
    <ul class="tags">
      <li><a href="#trying">Trying it</a></li>
      ${rooms.map(
        ([tag, operations]) =>
          html`<li>
            <a href="#${anchorOf('tag', tag)}">${titleOf(tag)}</a>
            <ul>
              ${operations.map(
                ({ operationId, method, path, summary }) =>
                  html`<li><a href="#${anchorOf('operation', operationId)}">${summary ?? `${method} ${path}`}</a></li>`,
              )}
            </ul>
          </li> `,
      )}
      <li>
        <a href="#resources">Resources</a>
        <ul>
          ${Object.keys(schemas).map((name) => html`<li><a href="#${anchorOf('resource', name)}">${name}</a></li>`)}
        </ul>
      </li>
    </ul>
  </nav>`

const showTrying = (variables: string) =>
  html`<section aria-labelledby="trying">
    <h2 id="trying">Trying it</h2>
    <p>
      The lines on this page can be pasted as they are into a shell that knows what the banner of <code>npm start</code>
      prints. They speak of the demo venue; elsewhere the event, the tickets and their numbers are others.
    </p>
    <pre class="paste"><code>${variables}</code></pre>
  </section> `

const showRoom = (tag: string, operations: readonly Placed[], schemas: Schemas) => {
  const anchor = anchorOf('tag', tag)
  return html`<section aria-labelledby="${anchor}">
    <h2 id="${anchor}">${titleOf(tag)}</h2>
    <ul class="overview">
      ${operations.map(
        ({ operationId, method, path, summary }) =>
          html`<li>
            <a href="#${anchorOf('operation', operationId)}"
              >${showMethod(method)} <code>${showPath(path)}</code> <span class="muted">${summary}</span></a
            >
          </li> `,
      )}
    </ul>
    ${operations.map((operation) => showOperation(operation, schemas))}
  </section> `
}

const showResources = (schemas: Schemas) => {
  const entries = Object.entries(schemas)
  if (entries.length === 0) return null
  return html`<section aria-labelledby="resources">
    <h2 id="resources">Resources</h2>
    ${entries.map(([name, schema]) => {
      const anchor = anchorOf('resource', name)
      return html`<article id="${anchor}" aria-labelledby="${anchor}-title">
        <h3 id="${anchor}-title"><a href="#${anchor}">${name}</a></h3>
        ${schema.description && html`<p>${prose(schema.description)}</p>`} ${showType(schema)}
        ${showFields(schema, 'answer', `Fields of ${name}`)}
        <h4>Example</h4>
        ${showJson(sampleOf(schema, schemas))}
      </article> `
    })}
  </section> `
}
