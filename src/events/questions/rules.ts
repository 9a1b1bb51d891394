import type { ErrorMap } from '../../kernel/refusals.ts'

const ANSWERED = "can't be changed: the question was answered"

/**
 * What was answered stays readable: a question that was answered keeps its type and whom it asks, and the options that
 * were chosen stay among the others.
 */
export const questionChangeFaults = (
  { isAnswered, chosen }: { isAnswered: boolean; chosen: readonly string[] },
  keys: readonly string[],
  sent: { options?: readonly string[] },
): ErrorMap => {
  if (!isAnswered) return {}
  const missing = keys.includes('options') ? chosen.filter((option) => !sent.options?.includes(option)) : []
  return {
    ...(keys.includes('type') && { type: [ANSWERED] }),
    ...(keys.includes('scope') && { scope: [ANSWERED] }),
    ...(!keys.includes('type') &&
      missing.length > 0 && { options: [`must include what was chosen: ${missing.join(', ')}`] }),
  }
}
