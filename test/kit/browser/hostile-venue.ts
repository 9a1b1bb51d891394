import type { VenueFile } from '../venue/neue-halle.ts'

interface Texts {
  /** For names and titles. */
  text: string
  /** For those that may be no longer than 200 characters. */
  short: string
  /** For those of a few words. */
  tiny: string
  /** For texts with markup; each stands by itself. */
  markup: readonly string[]
}

/** Neue Halle with these texts wherever a venue file has a text, under addresses of its own. */
export const fillWithHostileText = (file: VenueFile, name: string, texts: Texts): void => {
  const { text, short, tiny, markup } = texts
  const own = JSON.stringify(file).replaceAll(/@([a-z-]+)\.example/g, `@${name}.$1.example`)
  Object.assign(file, JSON.parse(own))

  file['account'].name = text
  for (const person of file['people']) person.name = text
  file['api_tokens'].push({ description: text, permission: 'read' })
  file['devices'].push({ name: text })
  file['invitations'] = [
    {
      email: `pia-${name}@promo.example`,
      role: 'promoter',
      promoter_programs: [{ name: text, code: tiny }],
    },
  ]
  Object.assign(file['venues'][0], { name: text, address: text, postal_code: tiny, city: text, country: text })

  const ball = file['events'][0]
  Object.assign(ball, {
    title: text,
    description: markup.join(''),
    video_url: `https://video.example/?q=${text.replaceAll(/[\s\\]/g, '')}`,
    video_title: text,
    performers: [
      { name: text, genre: text, links: { website: `https://band.example/#${text.replaceAll(/[\s\\]/g, '')}` } },
      ...markup.map((bio, n) => ({ name: `Performer ${n}`, bio })),
    ],
    faq_items: [{ question: text, answer: text }],
    orders: [
      {
        key: 'paid',
        customer_name: text,
        customer_email: `paula-${name}@guest.example`,
        customer_phone: tiny,
        customer_company: text,
        billing_street: text,
        billing_city: text,
        items: [{ ticket: 'ga', attendee_name: text }],
      },
    ],
    guest_parties: [
      {
        key: 'press',
        customer_name: text,
        customer_company: text,
        ticket: 'ga',
        party_size: 2,
        staff_note: text,
        delivery_email: `petra-${name}@press.example`,
        attendee_names: { 1: text },
      },
    ],
    signup_links: [
      {
        key: 'friends',
        name: short,
        ticket: 'ga',
        max_companions: 3,
        company_field: 'optional',
        phone_field: 'optional',
        companion_names_field: 'required',
        asks_questions: true,
      },
    ],
    signup_requests: [
      {
        link: 'friends',
        name: text,
        email: `wanda-${name}@guest.example`,
        company: text,
        phone: tiny,
        companions: 1,
        companion_names: [text],
      },
    ],
  })
  for (const ticket of ball.tickets) Object.assign(ticket, { title: text, features: [text] })
  for (const area of ball.standing_areas) area.name = text
  for (const [n, place] of ball.places.entries())
    Object.assign(place, { label: `${text.slice(0, 250)} ${n}`, section: tiny })
  for (const question of ball.questions) Object.assign(question, { label: text, help_text: text })
  ball.questions[0].options = [text, 'Radio']
  ball.questions.push({ key: 'wish', label: text, type: 'text', scope: 'order', help_text: text })

  file['tasks'] = markup.map((description) => ({ title: short, description, event: 'winter-ball' }))
  file['voucher_products'] = [
    { key: 'fifty', name: short, description: text, pricing_type: 'fixed', fixed_amount: '50.00' },
  ]
  file['vouchers'] = [
    { key: 'manual', amount: '40.00', note: text },
    { key: 'blocked', amount: '30.00', blocked_reason: text },
    {
      key: 'sold',
      product: 'fifty',
      source: 'shop',
      purchase: {
        status: 'paid',
        payment_provider: tiny,
        customer_name: text,
        customer_email: `bea-${name}@guest.example`,
        recipient_name: text,
        recipient_email: `rita-${name}@guest.example`,
        delivery_mode: 'email_now',
        paid_at: '-P2D',
        message: text,
        deliveries: [
          {
            audience: 'recipient',
            recipient_name: text,
            recipient_email: `rita-${name}@guest.example`,
            queued_at: '-P2D',
            last_attempted_at: '-P2D',
            failed_at: '-P2D',
            failure_message: text,
            attempts_count: 3,
          },
        ],
      },
    },
  ]
}
