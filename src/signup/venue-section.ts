/** What this room reads from a venue file, and writes into one. */
export { signupLinksSection } from './link-section.ts'
export { signupRequestsSection } from './request-section.ts'
