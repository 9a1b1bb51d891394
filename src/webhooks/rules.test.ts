import { expect, test } from 'vitest'
import { retryDelaySecondsAfter } from './rules.ts'
import { postWebhook } from './deliveries/send.ts'
import { signedHeaders } from './signature.ts'

test('nothing is sent into a private network, whatever the row says', async () => {
  const message = { headers: {}, body: Buffer.from('{}') }
  expect(
    await postWebhook(
      { reachesPrivateNetworks: false, baseUrl: 'https://foyer.example' },
      'https://127.0.0.1:9/',
      message,
    ),
  ).toEqual({
    status: null,
    failure: 'The address is not a public https address',
  })
})

test('the signature is that of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"test": 2432232314}'
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body }
  expect(signedHeaders(secret, message)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('attempts are spread over three days and then given up', () => {
  const pauses = Array.from({ length: 9 }, (_, n) => retryDelaySecondsAfter(n + 1, 0.5)!)
  expect(pauses[0]).toBe(5)
  expect(pauses.every((pause, n) => n === 0 || pause > pauses[n - 1]!)).toBe(true)
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(3 * 24 * 3600)
  expect(retryDelaySecondsAfter(10)).toBeNull()
})
