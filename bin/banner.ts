import type { Settings } from '../src/kernel/settings.ts'
import type { Demo } from '../src/venue-file/load-demo.ts'

/** What a newcomer needs for the first five minutes. The demo's secrets are this installation's own. */
export const banner = (settings: Settings, demo: Demo | null, startedInMs: number): string => {
  const lines = [
    '',
    `  Foyer is open. (${(startedInMs / 1000).toFixed(1)} s)`,
    '',
    `  Base URL       ${settings.baseUrl}`,
    `  API reference  ${settings.baseUrl}/docs`,
    `  Assistant      ${settings.baseUrl}/mcp`,
  ]
  if (demo) {
    lines.push(
      `  Demo shop      ${demo.shopUrl}`,
      `  Console        ${settings.baseUrl}/sign_in  ${demo.email}  ${demo.password}`,
      '',
      `  Read token     ${demo.readToken}`,
      `  Write token    ${demo.writeToken}`,
      `  Co-organizer   ${demo.coOrganizerToken}`,
      `  Door device    ${demo.deviceToken}`,
      '',
      '  The read token changes nothing, but it reads everything: with it GET /admin/vouchers.csv',
      '  hands out every voucher code, which is as good as money, also to an assistant you give it to.',
      '',
      '  Try it:',
      `  curl -s -H 'Authorization: Bearer ${demo.readToken}' ${settings.baseUrl}/admin/events`,
    )
  } else {
    lines.push('', '  Load a venue: npm run -s foyer -- load FILE   (docs/first-venue.md)')
  }
  return [...lines, ''].join('\n')
}
