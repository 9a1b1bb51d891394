import { expect } from 'vitest'

/** What an order knows and the door must never be told. */
export const SECRETS = {
  email: 'hidden.address@secret.example',
  phone: '+49 40 5550199',
  billingCity: 'Geheimstadt',
  answers: { 1: 'a whispered answer' },
}

export const tellsNoSecret = (text: string) => {
  for (const secret of ['hidden.address', 'secret.example', '5550199', 'Geheimstadt', 'whispered', '"id":'])
    expect.soft(text).not.toContain(secret)
}
