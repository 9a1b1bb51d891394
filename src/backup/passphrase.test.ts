import { Decrypter, Encrypter, Stanza } from 'age-encryption'
import { expect, test } from 'vitest'
import { passphraseIdentity, passphraseRecipient } from './passphrase.ts'

const PASSPHRASE = 'Regen über der Schlange 🌧'
const SAID = 'Everybody who came is in.'

const encryptHere = () => {
  const encrypter = new Encrypter()
  encrypter.addRecipient(passphraseRecipient(PASSPHRASE))
  return encrypter.encrypt(SAID)
}

const decryptHere = (file: Uint8Array, passphrase: string) => {
  const decrypter = new Decrypter()
  decrypter.addIdentity(passphraseIdentity(passphrase))
  return decrypter.decrypt(file, 'text')
}

test('what is encrypted here opens with the passphrase here and by age itself, and with no other', async () => {
  const file = await encryptHere()
  expect(await decryptHere(file, PASSPHRASE)).toBe(SAID)
  await expect(decryptHere(file, 'Sonne')).rejects.toThrow('no identity matched')
  const age = new Decrypter()
  age.addPassphrase(PASSPHRASE)
  expect(await age.decrypt(file, 'text')).toBe(SAID)
})

test('what age itself encrypted opens here', async () => {
  const age = new Encrypter()
  age.setPassphrase(PASSPHRASE)
  age.setScryptWorkFactor(10)
  expect(await decryptHere(await age.encrypt(SAID), PASSPHRASE)).toBe(SAID)
})

test('others are served while a passphrase is stretched', async () => {
  let isDone = false
  let turns = 0
  const takeTurn = () => {
    turns++
    if (!isDone) setImmediate(takeTurn)
  }
  setImmediate(takeTurn)
  await encryptHere()
  isDone = true
  expect(turns).toBeGreaterThan(100)
})

test.each([
  ['no salt', ['scrypt', '', '10']],
  ['no factor', ['scrypt', 'AAAAAAAAAAAAAAAAAAAAAA']],
  ['a factor that takes all memory', ['scrypt', 'AAAAAAAAAAAAAAAAAAAAAA', '21']],
  ['a factor that is no number', ['scrypt', 'AAAAAAAAAAAAAAAAAAAAAA', '1e1']],
])('a header with %s is refused before anything is computed', async (_, args) => {
  const identity = passphraseIdentity(PASSPHRASE)
  await expect(identity.unwrapFileKey([new Stanza(args, new Uint8Array(32))])).rejects.toThrow('cannot be opened')
})

test('a header for somebody else, or for several, is none for a passphrase', async () => {
  const identity = passphraseIdentity(PASSPHRASE)
  const own = new Stanza(['scrypt', 'AAAAAAAAAAAAAAAAAAAAAA', '10'], new Uint8Array(32))
  const other = new Stanza(['X25519', 'somebody'], new Uint8Array(32))
  expect(await identity.unwrapFileKey([other])).toBeNull()
  expect(await identity.unwrapFileKey([own, other])).toBeNull()
})
