/** What this room reads from a venue file, and writes into one. */
export { accountSchema, exportAccount, loadAccount } from './account-section.ts'
export { apiTokensSection, devicesSection } from './credential-sections.ts'
export { peopleSection } from './people-section.ts'
