import type { Section } from '../loading/section.ts'
import { voucherImportsSection } from './imports/venue-section.ts'
import { vouchersSection } from './load-vouchers.ts'
import { voucherProductsSection } from './products/venue-section.ts'

/** What this room reads from a venue file. */
export const voucherSections: readonly Section[] = [voucherProductsSection, vouchersSection, voucherImportsSection]
