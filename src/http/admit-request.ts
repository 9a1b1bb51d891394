import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../access/app.ts'
import type { Caller } from '../access/callers.ts'
import { Unauthorized } from '../kernel/refusals.ts'
import { clientAddressOf } from './client-address.ts'
import type { Endpoint } from './endpoint.ts'
import { requestFactsOf } from './request-facts.ts'
import { callerScopeOf } from './request-scopes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    given?: object
    caller?: Caller
  }
}

export const REQUESTS_PER_MINUTE = 6000
const UNKNOWN_TOKENS_PER_MINUTE = 600

/** Leaves with the request what its access gives it, and who is calling. */
export const createAccessHook = (app: App, endpoint: Endpoint) => {
  const requests = app.budgets.of('requests of a credential', REQUESTS_PER_MINUTE)
  const unknownTokens = app.budgets.of('unknown tokens from an address', UNKNOWN_TOKENS_PER_MINUTE)

  /** Not asynchronous by itself: what is remembered is let in at once, and a public page is mostly remembered. */
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    // What is known is let in whatever others have tried from the same address: only misses are counted.
    const refuse = (error: unknown) => {
      if (error instanceof Unauthorized && !error.insufficient) unknownTokens.spend(clientAddressOf(request.ip))
      throw error
    }
    const letIn = (given: object) => {
      request.given = given
      const scope = callerScopeOf(given)
      if (!scope) return
      request.caller = scope.caller
      requests.spend(scope.credential.id)
    }

    try {
      const given = endpoint.access.admit(app, requestFactsOf(request))
      if (given instanceof Promise) {
        given.then(letIn, refuse).then(() => done(), done)
        return
      }
      letIn(given)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }
}
