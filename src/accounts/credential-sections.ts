import { PERMISSIONS } from '../access/callers.ts'
import { type NewCredential, insertCredentials } from '../access/credentials.ts'
import { hasWrongChecksum, newToken } from '../access/tokens.ts'
import { type JsonPath, fileFaultAt } from '../loading/fault.ts'
import { email, flag, list, oneOf, optional, text, strictObject } from '../loading/fields.ts'
import { numberDuplicateTexts } from '../loading/batches.ts'
import { type LoadContext, type Section, findByKey } from '../loading/section.ts'
import type { z } from 'zod'
import { findApiTokens, findDevices } from './export/records.ts'

/** A token is sent in a header, where only these characters arrive as they are. */
const SENDABLE = /^[\x21-\x2b\x2d-\x7e]+$/

const token = () =>
  text()
    .refine((value) => SENDABLE.test(value), { error: 'has characters that cannot be sent as a bearer token' })
    .refine((value) => !hasWrongChecksum(value), { error: 'is a mistyped token of Foyer' })

const ApiToken = strictObject({
  description: text(),
  permission: oneOf(PERMISSIONS),
  token: optional(token()),
  person: optional(email()),
  revoked: flag(false),
})

export const apiTokensSection: Section<z.output<typeof ApiToken>[]> = {
  key: 'api_tokens',
  schema: () => list(ApiToken, 'description'),
  load: (context, tokens, place) =>
    issue(
      context,
      tokens.map((each, n) => {
        const kind = each.person === null ? ('account_token' as const) : ('personal_token' as const)
        return {
          kind,
          permission: each.permission,
          description: each.description,
          token: each.token ?? newToken(kind),
          membership: each.person === null ? null : membershipOf(context, each.person, [...place, n, 'person']),
          revokedAt: each.revoked ? context.terms.now : null,
        }
      }),
      place,
    ),
  export: async function* ({ rows }) {
    const tokens = await findApiTokens(rows)
    const descriptions = numberDuplicateTexts(tokens.map(({ description }) => description))
    for (const [n, { permission, person, isRevoked }] of tokens.entries()) {
      yield { description: descriptions[n]!, permission, person, revoked: isRevoked }
    }
  },
}

const Device = strictObject({ name: text(), token: optional(token()), revoked: flag(false) })

export const devicesSection: Section<z.output<typeof Device>[]> = {
  key: 'devices',
  schema: () => list(Device, 'name'),
  load: (context, devices, place) =>
    issue(
      context,
      devices.map((device) => ({
        kind: 'scanner_device' as const,
        permission: 'write' as const,
        description: device.name,
        token: device.token ?? newToken('scanner_device'),
        membership: null,
        revokedAt: device.revoked ? context.terms.now : null,
      })),
      place,
    ),
  export: async function* ({ rows }) {
    const devices = await findDevices(rows)
    const names = numberDuplicateTexts(devices.map(({ name }) => name))
    for (const [n, { isRevoked }] of devices.entries()) yield { name: names[n]!, revoked: isRevoked }
  },
}

const membershipOf = ({ people }: LoadContext, address: string, place: JsonPath) => {
  const member = findByKey(people, address, place, 'person')
  return { id: member.membershipId, epoch: member.credentialEpoch }
}

const issue = async ({ tx }: LoadContext, credentials: NewCredential[], place: JsonPath) => {
  const { taken } = await insertCredentials(tx, credentials)
  if (taken[0] !== undefined) throw fileFaultAt([...place, taken[0], 'token'], 'is in use already')
  return Object.fromEntries(credentials.map((each) => [each.description, each.token]))
}
