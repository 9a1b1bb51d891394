import { expect } from 'vitest'
import type { Reply } from './venue/client.ts'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** A refusal with this status and, where given, exactly these errors (or the door's one sentence). */
    toRefuse(status: number, errors?: Record<string, string[]> | string): R
  }
}

expect.extend({
  toRefuse(reply: Reply, status: number, errors?: Record<string, string[]> | string) {
    const told = typeof errors === 'string' ? reply.body?.error : reply.body?.errors
    const pass =
      reply.status === status &&
      (errors === undefined ? Boolean(reply.body?.errors ?? reply.body?.error) : this.equals(told, errors))
    return {
      pass,
      message: () => `expected a refusal ${status} ${JSON.stringify(errors ?? {})}, got ${reply.status} ${reply.text}`,
    }
  },
})
