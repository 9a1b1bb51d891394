import { expect, test } from 'vitest'
import { cpuOf } from '../../test/kit/process/cpu.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

test('a password opens only its own digest', async () => {
  const digest = await hashPassword('correct horse battery')

  expect(digest).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await verifyPassword('correct horse battery', digest)).toBe(true)
  expect(await verifyPassword('correct horse batterz', digest)).toBe(false)
  expect(await verifyPassword('', digest)).toBe(false)
  expect(await hashPassword('correct horse battery')).not.toBe(digest)
})

test('the same letters written another way are the same password', async () => {
  expect(await verifyPassword('Zoe\u0308', await hashPassword('Zoë'))).toBe(true)
})

test('a digest of another cost is verified at its own', async () => {
  // The reference vector of the argon2 project: "password", salt "somesalt", 64 MiB, 2 passes, 1 lane.
  const digest = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await verifyPassword('password', digest)).toBe(true)
  expect(await verifyPassword('Password', digest)).toBe(false)
})

test('without a password, or with a digest nobody can read, nothing opens, and it takes as long', async () => {
  const digest = await hashPassword('another one')
  const work = (stored: string | null) =>
    cpuOf(async () => {
      for (let round = 0; round < 5; round++) expect(await verifyPassword('correct horse battery', stored)).toBe(false)
    })

  const wrong = await work(digest)
  expect(await work(null)).toBeGreaterThan(wrong / 3)
  expect(await work('$argon2id$broken')).toBeGreaterThan(wrong / 3)
})
