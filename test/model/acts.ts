import { boardActs } from './board-acts.ts'
import { doorActs } from './door-acts.ts'
import { guestActs } from './guest-acts.ts'
import { signupActs } from './signup-acts.ts'
import { teamActs } from './team-acts.ts'
import { voucherActs } from './voucher-acts.ts'
import type { Doing } from './outcome.ts'

export const ACTS: Record<string, Doing> = {
  ...guestActs,
  ...signupActs,
  ...doorActs,
  ...voucherActs,
  ...boardActs,
  ...teamActs,
}
