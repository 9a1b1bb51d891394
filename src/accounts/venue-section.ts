/** What this room reads from a venue file. */
export { accountSchema, loadAccount } from './account-section.ts'
export { apiTokensSection, devicesSection } from './credential-sections.ts'
export { peopleSection } from './people-section.ts'
