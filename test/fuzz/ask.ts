import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Reply, requireDescribed } from '../kit/venue/client.ts'
import { type Question, describeQuestion, settle } from './settle.ts'
import type { Stage } from './stage.ts'
import { isToolFailure } from './tools.ts'
import { type GeneratedRequest, operationOf } from './generated-requests.ts'

const DEADLINE_MS = 10_000
const agent = new Agent({ keepAlive: true, maxSockets: 32 })

const unpack = (bytes: Buffer, encoding: string | undefined) =>
  (encoding === 'gzip' ? gunzipSync(bytes) : encoding === 'br' ? brotliDecompressSync(bytes) : bytes).toString('utf8')

const isReadable = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Sends exactly these bytes. A stream without an end is left as soon as it begins. */
const ask = (origin: string, { method, path, headers, body }: Question): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const length = body ? { 'content-length': String(body.length) } : {}
    const options = { hostname, port, path, method, headers: { ...headers, ...length }, agent }
    let heard = 'nothing'
    const deadline = setTimeout(() => {
      reject(new Error(`No answer within ${DEADLINE_MS} ms, but ${heard}`))
      asking.destroy()
    }, DEADLINE_MS)
    const asking = request(options, (answer) => {
      heard = `the head of ${answer.statusCode}`
      const chunks: Buffer[] = []
      const finish = () => {
        clearTimeout(deadline)
        const text = unpack(Buffer.concat(chunks), answer.headers['content-encoding'])
        const told = new Headers()
        for (const [name, values] of Object.entries(answer.headersDistinct)) {
          for (const value of values ?? []) told.append(name, value)
        }
        const isJson = told.get('content-type')?.startsWith('application/json') ?? false
        const isParsed = isJson && text !== ''
        if (isParsed && !isReadable(text))
          return reject(new Error(`What is called JSON is none: ${text.slice(0, 500)}`))
        resolve({ status: answer.statusCode!, headers: told, text, body: isParsed ? JSON.parse(text) : null })
      }
      if (answer.headers['content-type']?.startsWith('text/event-stream')) {
        finish()
        asking.destroy()
        return
      }
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', finish)
    })
    asking.on('error', reject)
    asking.end(body)
  })

/** Holds an answer against all that is promised, and throws what is wrong with it. */
const judge = (request: GeneratedRequest, question: Question, reply: Reply) => {
  const { endpoint } = operationOf(request)
  const { status } = reply
  if (status >= 500 || isToolFailure(reply.body)) throw new Error('The house fell over')
  if ((status === 204 || status === 304) && reply.text !== '') throw new Error('An answer without content has some')
  if (reply.body !== null) requireDescribed(question.method, question.path, reply)

  const isPage = endpoint.undocumented || endpoint.page || endpoint.form
  if (isPage || request.path.of === 'junk') return
  if (status >= 400 && reply.body === null) throw new Error('A refusal is no JSON')
  const declared = Object.keys(endpoint.answers)
  if (status < 400 && declared.length > 0 && !declared.includes(String(status))) {
    throw new Error('The description does not know this status')
  }
}

/** Asks and judges; whatever is wrong is told together with what was asked. */
export const askAndJudge = (stage: Stage, request: GeneratedRequest): Promise<Reply> =>
  askSettled(stage, request, settle(stage, request))

/** The same for what has been made ready to be sent. */
export const askSettled = async (stage: Stage, request: GeneratedRequest, question: Question): Promise<Reply> => {
  const { origin, logged } = stage.venue
  const linesBefore = logged.length
  let reply: Reply | undefined
  try {
    reply = await ask(origin, question)
    judge(request, question, reply)
    return reply
  } catch (fault) {
    const answered = reply ? `${reply.status} ${reply.text.slice(0, 500)}` : 'nothing'
    const said = logged.slice(linesBefore).filter((line) => line.includes('"level":"error"'))
    const story = [
      (fault as Error).message,
      describeQuestion(question),
      `as ${request.caller}`,
      `→ ${answered}`,
      ...said,
    ]
    throw new Error(story.join('\n'), { cause: fault })
  }
}
