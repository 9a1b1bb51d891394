import { deliverVoucher } from './deliveries/jobs.ts'
import { expireVouchers, foldVoucherTotals } from './expiration/jobs.ts'
import { applySubmittedImport } from './imports/jobs.ts'

export const voucherJobs = [expireVouchers, foldVoucherTotals, deliverVoucher, applySubmittedImport]
