import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { encryptPush, vapidHeader } from './encrypt-push.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('a message is encrypted as RFC 8291 shows it in its appendix', () => {
  const encrypted = encryptPush(
    Buffer.from('When I grow up, I want to be a watermelon'),
    {
      p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
      auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
    },
    { salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'), privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw') },
  )
  expect(encrypted.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('a push service can tell that it is us, whom we call, and until when', () => {
  const publicKey = bytes('BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8')
  const privateKey = bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw')
  const identity = vapidHeader(
    { publicKey, privateKey },
    {
      endpoint: 'https://push.example:8443/send/abc',
      contact: 'https://foyer.example',
      now: new Date(1_900_000_000_000),
    },
  )
  const [, told, signature, key] = /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(identity)!
  expect(bytes(key!)).toEqual(publicKey)
  const [header, claims] = told!.split('.').map((part) => JSON.parse(bytes(part).toString()))
  expect(header).toEqual({ typ: 'JWT', alg: 'ES256' })
  expect(claims).toEqual({ aud: 'https://push.example:8443', exp: 1_900_043_200, sub: 'https://foyer.example' })

  const x = publicKey.subarray(1, 33).toString('base64url')
  const y = publicKey.subarray(33).toString('base64url')
  const judge = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  expect(verify('sha256', Buffer.from(told!), { key: judge, dsaEncoding: 'ieee-p1363' }, bytes(signature!))).toBe(true)
})
