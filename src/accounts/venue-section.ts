/** What this room reads from a venue file. */
export { Account, loadAccount } from './account-section.ts'
export { apiTokensSection, devicesSection } from './credential-sections.ts'
export { peopleSection } from './people-section.ts'
