import { NotFound } from '../kernel/refusals.ts'

/** An ID as a path has it; what is no ID names nothing. */
export const parsePathId = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new NotFound()
  return Number(text)
}
