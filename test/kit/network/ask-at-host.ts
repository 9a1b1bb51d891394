import { request } from 'node:http'

interface Question {
  method: string
  headers: Record<string, string>
  body?: string | Buffer
}

/** Like fetch, which would not let anyone choose the Host, and which tidies addresses up before it sends them. */
export const askAtHost = (origin: string, path: string, { method, headers, body }: Question): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const asking = request({ hostname, port, path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const told = new Headers()
        for (const [name, values] of Object.entries(answer.headersDistinct)) {
          for (const value of values ?? []) told.append(name, value)
        }
        const status = answer.statusCode!
        const hasBody = ![204, 304].includes(status)
        resolve(new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers: told }))
      })
    })
    asking.on('error', reject)
    asking.end(body)
  })
