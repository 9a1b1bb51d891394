import { expect, test } from 'vitest'
import { Misconfigured } from '../kernel/settings.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { createToken, operatorTransaction, pairDevice, revokeDevice } from './operator.ts'
import { digestOf } from './tokens.ts'

const venueWithCallers = async () => {
  const venue = await openVenue()
  const callerOf = async (token: string) =>
    (await venue.app.directory.findCaller({ digest: digestOf(token), eventSlug: null }))?.caller ?? null
  return { ...venue, subdomain: venue.report.account.subdomain, callerOf }
}

test('a token made at the command line acts for the account', async () => {
  const { app, subdomain, callerOf } = await venueWithCallers()
  const token = await createToken(app, { subdomain, permission: 'read', description: ' Till ' })

  expect(token).toMatch(/^foyer_api_/)
  expect(await callerOf(token)).toMatchObject({
    account: { subdomain },
    credential: { kind: 'account_token', permission: 'read', description: 'Till', role: null },
    actor: { email: 'olga@neue-halle.example' },
  })
})

test('a token made for a person acts as that member, until the member’s role changes', async () => {
  const { app, subdomain, callerOf, report } = await venueWithCallers()
  const personEmail = 'Cem@Partner.example'
  const token = await createToken(app, { subdomain, permission: 'write', personEmail, description: 'Cem' })

  expect(token).toMatch(/^foyer_me_/)
  expect(await callerOf(token)).toMatchObject({
    credential: { kind: 'personal_token', role: 'co_organizer' },
    actor: { email: 'cem@partner.example' },
  })

  await app.database.pool.query(
    'update memberships set credential_epoch = credential_epoch + 1 where account_id = $1 and id = $2',
    [report.account.id, report.people['cem@partner.example']!.membership_id],
  )
  expect(await callerOf(token)).toBeNull()

  const renewed = await createToken(app, { subdomain, permission: 'write', personEmail, description: 'Cem' })
  expect(await callerOf(renewed)).toMatchObject({ credential: { role: 'co_organizer' } })
})

test('a device is paired, and revoked by its name', async () => {
  const { app, subdomain, callerOf } = await venueWithCallers()
  const token = await pairDevice(app, { subdomain, name: 'Side door' })

  expect(token).toMatch(/^foyer_door_/)
  expect(await callerOf(token)).toMatchObject({ credential: { kind: 'scanner_device', description: 'Side door' } })
  await expect(pairDevice(app, { subdomain, name: 'Side door' })).rejects.toThrow(
    new Misconfigured(`The account "${subdomain}" has a device "Side door" already; revoke it first.`),
  )

  await revokeDevice(app, { subdomain, name: 'Side door' })
  expect(await callerOf(token)).toBeNull()
  await expect(revokeDevice(app, { subdomain, name: 'Side door' })).rejects.toThrow(
    new Misconfigured(`The account "${subdomain}" has no device "Side door" in use.`),
  )

  const again = await pairDevice(app, { subdomain, name: 'Side door' })
  expect(await callerOf(again)).not.toBeNull()
})

test('of two who pair the same name at once, one is told', async () => {
  const { app, subdomain } = await venueWithCallers()
  const wanted = { subdomain, name: 'Back door' }
  const results = await Promise.allSettled([pairDevice(app, wanted), pairDevice(app, wanted), pairDevice(app, wanted)])
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
})

test('a wish that cannot be granted is refused in one sentence', async () => {
  const { app, subdomain } = await venueWithCallers()
  const wanted = { subdomain, permission: 'read', description: 'Till' }
  const refusal = async (changes: Partial<Parameters<typeof createToken>[1]>) => {
    const error: unknown = await createToken(app, { ...wanted, ...changes }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Misconfigured)
    return (error as Misconfigured).message
  }

  expect(await refusal({ subdomain: 'nowhere' })).toBe('There is no account with the subdomain "nowhere".')
  expect(await refusal({ permission: 'admin' })).toBe('The permission must be read or write; it is "admin".')
  expect(await refusal({ description: ' ' })).toBe('The description must be a text of 1 to 255 characters.')
  expect(await refusal({ personEmail: 'nobody@neue-halle.example' })).toBe(
    `Nobody with the address nobody@neue-halle.example works for "${subdomain}".`,
  )
  expect(await refusal({ personEmail: 'dora@neue-halle.example' })).toBe(
    `The member dora@neue-halle.example of "${subdomain}" is deactivated.`,
  )
})

test('an account that is founded in a transaction that fails was never there', async () => {
  const { app } = await venueWithCallers()
  const account = { name: 'Short', subdomain: 'short-lived' }
  const failure = new Error('no')
  const attempt = operatorTransaction(app, async (operator) => {
    expect(await operator.foundAccount(account)).toMatchObject({ account: { subdomain: 'short-lived' } })
    expect(await operator.foundAccount(account)).toBeNull()
    throw failure
  })
  await expect(attempt).rejects.toBe(failure)
  expect(await operatorTransaction(app, (operator) => operator.openAccount('short-lived'))).toBeNull()
})
