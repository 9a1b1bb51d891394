import { checkConsistency } from '../../src/consistency/check-consistency.ts'
import { Misconfigured } from '../../src/kernel/misconfigured.ts'
import { findCertificateWarnings } from '../../src/wallet/certificate-warnings.ts'
import { print, withApp } from '../command-line.ts'

/** What is kept beside its rows is computed anew. Nothing is repaired: a difference is a bug to look at. */
export const run = async () => {
  const { differences, warnings } = await withApp('audit', async (app) => ({
    differences: await checkConsistency(app),
    warnings: await findCertificateWarnings(app),
  }))
  for (const warning of warnings) console.error(warning)
  for (const difference of differences) print(JSON.stringify(difference))
  if (differences.length > 0) throw new Misconfigured(`The audit found ${differences.length} differences.`)
}
