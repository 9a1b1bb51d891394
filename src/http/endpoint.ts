import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { Answer, RawAnswer } from './answers.ts'
import type { BodyReader } from './body.ts'
import type { RequestHeaders } from './headers.ts'
import type { ExampleSetup } from './example-setup.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}.${string}`
    ? Name
    : Path extends `${string}:${infer Name}`
      ? Name
      : never

export type Params<Path extends string> = Record<ParamNames<Path>, string>

export type AnswerSchemas = Partial<Record<number, z.ZodType | null>>

type AnswerOf<A extends AnswerSchemas> = {
  [Status in keyof A & number]: A[Status] extends z.ZodType
    ? Answer<Status, z.output<A[Status]>>
    : Answer<Status, undefined>
}[keyof A & number]

export interface HandlerInput<Path extends string, Query, Body> {
  params: Params<Path>
  query: Query
  body: Body
  headers: RequestHeaders
  /** The address the request came from, for budgets of those who show no credential. */
  ip: string
  /** The request with its body as it arrives, where the endpoint `streams`; elsewhere it has been read already. */
  stream: IncomingMessage
  /** Fires when the server is about to stop: an answer without an end ends then. */
  closing: AbortSignal
}

export interface EndpointSpec<
  Path extends string,
  Given extends object,
  A extends AnswerSchemas,
  Query extends z.ZodObject,
  Body,
> {
  method: Method
  path: Path
  access: Access<Given>
  /** What a client calls it by, like `cancelAdmission`; only what is kept out of the API description has none. */
  operationId?: string
  /** What it does, in a sentence of the API description. */
  says: string
  /** The parts of the path that are numbers. */
  integerParams?: readonly ParamNames<Path>[]
  query?: Query
  body?: BodyReader<Body>
  /** A body that works, for the API description. */
  example?: unknown
  /** What else the example takes to work on the demo venue when it is pasted. */
  exampleSetup?: ExampleSetup
  /** The answers of the documents by status; refusals need not be listed. Null: no content. */
  answers: A
  /** What a success answers with that is no JSON, as media types: a CSV file, an image, a stream of events. */
  media?: readonly string[]
  /** Creations take an Idempotency-Key: the whole handling is one transaction. */
  creates?: true
  bodyLimit?: number
  /** The body is left unread, of whatever type and length; `handle` takes it from `stream` and sets its own bounds. */
  streams?: true
  /**
   * Asked only when the body is at fault: throws what is told before that, which is NotFound when the path names
   * nothing, and Conflict when what was `sent` speaks of a version that is no more.
   */
  exists?: (asked: Given & { params: Params<Path>; sent: unknown; ip: string }) => Promise<unknown>
  /**
   * Asked before an answer is repeated for its Idempotency-Key: throws NotFound where the caller may no longer see it.
   * Access and the event of the path are judged anew by themselves.
   */
  requireVisible?: (
    asked: Given & { params: Params<Path>; answer: z.output<NonNullable<A[keyof A]>> },
  ) => Promise<unknown>
  handle: (
    asked: Given &
      HandlerInput<Path, z.output<Query>, Body> & {
        /** Asks access once more, for an answer that outlives the moment it was admitted in. */
        readmit: () => Promise<Given>
      },
  ) => Promise<AnswerOf<A> | RawAnswer>
  /** Pages of other sites may read it, its refusals too: nothing in the answer depends on who asks. */
  anyOrigin?: true
  /** What a browser gets that asks the same address for HTML. */
  page?: (asked: Given & HandlerInput<Path, z.output<Query>, undefined>) => Promise<RawAnswer>
  /** What a browser gets that sends a form there; what was sent is read by it, so that a fault is told on a page. */
  form?: (asked: Given & HandlerInput<Path, z.output<Query>, undefined> & { sent: unknown }) => Promise<RawAnswer>
  /** Kept out of the API description: pages for people. */
  undocumented?: true
  /** There is nothing here but its page, which is shown to everybody who does not ask for JSON alone. */
  isOnlyPage?: true
  /** All it answers is 405, in words of its own: the address does not offer the method. */
  isMethodRefused?: true
}

/** A chapter of the API description. */
export interface Section {
  name: string
  says: string
}

/** An endpoint with its types forgotten, as the list of all endpoints holds it. */
export interface Endpoint {
  method: Method
  path: string
  access: Access<object>
  operationId?: string
  says: string
  /** Where the API description lists it. */
  section?: Section
  integerParams?: readonly string[]
  query?: z.ZodObject
  body?: BodyReader<unknown>
  example?: unknown
  exampleSetup?: ExampleSetup
  answers: AnswerSchemas
  media?: readonly string[]
  creates?: true
  bodyLimit?: number
  streams?: true
  exists?: (asked: object) => Promise<unknown>
  requireVisible?: (asked: object) => Promise<unknown>
  anyOrigin?: true
  handle: (asked: object) => Promise<Answer | RawAnswer>
  page?: (asked: object) => Promise<RawAnswer>
  form?: (asked: object) => Promise<RawAnswer>
  undocumented?: true
  isOnlyPage?: true
  isMethodRefused?: true
}

export const endpoint = <
  const Path extends string,
  Given extends object,
  const A extends AnswerSchemas,
  Query extends z.ZodObject = z.ZodObject<Record<string, never>>,
  Body = undefined,
>(
  spec: EndpointSpec<Path, Given, A, Query, Body>,
): Endpoint => spec as unknown as Endpoint

/** Puts endpoints into a chapter of the API description. */
export const withApiSection = (name: string, says: string, endpoints: readonly Endpoint[]): Endpoint[] => {
  const section = { name, says }
  return endpoints.map((each) => Object.assign(each, { section }))
}
