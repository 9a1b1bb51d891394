import type { App } from '../access/app.ts'
import { openRowsForJob } from '../access/job-scope.ts'
import { appsOfShards } from '../access/shards.ts'
import { issuersOf, issuersOfInstallation } from './configuration/issuers.ts'
import { findAccountsWithCertificates } from './configuration/records.ts'
import { warningDaysFor } from './rules.ts'

/** A sentence for each certificate that ends in sixty days or has ended: the installation's, and those of accounts. */
export const findCertificateWarnings = async (app: App): Promise<string[]> => {
  const now = app.clock.now()
  const ofAccounts = []
  for (const server of appsOfShards(app)) {
    for (const { id, subdomain } of await findAccountsWithCertificates(server.database)) {
      const { apple } = await issuersOf(server, openRowsForJob(server, id))
      ofAccounts.push({ whose: `of ${subdomain}`, issuer: apple[0]! })
    }
  }
  const ofInstallation = issuersOfInstallation(app.settings).apple.map((issuer) => ({
    whose: 'of this installation',
    issuer,
  }))
  return [...ofInstallation, ...ofAccounts].flatMap(({ whose, issuer: { passTypeId, endsAt } }) => {
    const warning = warningDaysFor(endsAt, now)
    if (warning === null) return []
    const certificate = `The certificate ${passTypeId} ${whose}, which signs wallet passes,`
    const day = endsAt.toISOString().slice(0, 10)
    return warning === 0
      ? [`${certificate} has ended on ${day}: no passes are offered, and installed ones are not updated.`]
      : [`${certificate} ends on ${day}, in less than ${warning} days.`]
  })
}
