import { displayCode } from '../../kernel/public-ids.ts'
import { LANGUAGES } from '../../languages/rules.ts'
import { type PassFacts, passExpiryOf, isVoidPass } from '../rules.ts'
import { PASS_WORDS, type PassWord } from '../words.ts'

export interface PassIdentity {
  passTypeId: string
  teamId: string
  serial: string
  /** The secret that a phone shows for it. */
  token: string
  webServiceUrl: string
}

interface PassField {
  key: string
  label?: string
  value: string
  changeMessage?: string
  dateStyle?: string
  timeStyle?: string
  ignoresTimeZone?: boolean
}

/** Words that a phone finds in the file of its language. No name of a guest looks like one. */
const word = (name: PassWord) => `foyer.${name}`

/** What Apple calls pass.json: an event ticket. */
export const passJson = (facts: PassFacts, identity: PassIdentity): object => {
  const { background, foreground, label } = colorsOf(facts.color)
  const code = displayCode(facts.checkInCode)
  return {
    formatVersion: 1,
    passTypeIdentifier: identity.passTypeId,
    teamIdentifier: identity.teamId,
    serialNumber: identity.serial,
    authenticationToken: identity.token,
    webServiceURL: identity.webServiceUrl,
    organizationName: facts.organizer,
    description: `${facts.eventTitle}, ${facts.organizer}`,
    logoText: facts.organizer,
    backgroundColor: background,
    foregroundColor: foreground,
    labelColor: label,
    groupingIdentifier: `${facts.accountId}-${facts.eventId}`,
    relevantDate: showTime(facts.doorsOpenAt ?? facts.startsAt),
    expirationDate: showTime(passExpiryOf(facts)),
    ...(isVoidPass(facts.state) && { voided: true }),
    ...(facts.latitude !== null &&
      facts.longitude !== null && { locations: [{ latitude: facts.latitude, longitude: facts.longitude }] }),
    ...(!isVoidPass(facts.state) && {
      barcodes: [
        { format: 'PKBarcodeFormatQR', message: facts.publicId, messageEncoding: 'iso-8859-1', altText: code },
      ],
    }),
    eventTicket: fieldsOf(facts, code),
  }
}

const showTime = (time: Date) => `${time.toISOString().slice(0, 19)}Z`

const fieldsOf = (facts: PassFacts, code: string): Record<string, PassField[]> => {
  const isOver = facts.state !== 'valid'
  return {
    headerFields: [
      {
        key: 'date',
        label: word('date'),
        value: showTime(facts.startsAt),
        dateStyle: 'PKDateStyleMedium',
        timeStyle: 'PKDateStyleShort',
        changeMessage: word('dateChanged'),
      },
    ],
    primaryFields: [{ key: 'event', value: facts.eventTitle }],
    secondaryFields: [
      ...(isOver ? [{ key: 'standing', label: word('status'), value: word(facts.state) }] : []),
      ...(facts.place
        ? [{ key: 'place', label: word('place'), value: facts.place, changeMessage: word('placeChanged') }]
        : []),
      { key: 'ticket', label: word('ticket'), value: facts.ticketTitle },
    ],
    auxiliaryFields: [
      { key: 'name', label: word(nameOf(facts) === null ? 'party' : 'name'), value: nameOf(facts) ?? facts.partyLead },
      ...(nameOf(facts) !== null && !facts.isLead
        ? [{ key: 'party', label: word('party'), value: facts.partyLead }]
        : []),
      ...(facts.doorsOpenAt
        ? [
            {
              key: 'doors',
              label: word('doors'),
              value: showTime(facts.doorsOpenAt),
              timeStyle: 'PKDateStyleShort',
              dateStyle: 'PKDateStyleNone',
              changeMessage: word('doorsChanged'),
            },
          ]
        : []),
    ],
    backFields: [
      { key: 'status', label: word('status'), value: word(facts.state), changeMessage: word('statusChanged') },
      ...(facts.venueName
        ? [
            {
              key: 'venue',
              label: word('venue'),
              value: [facts.venueName, facts.venueAddress].filter(Boolean).join('\n'),
              changeMessage: word('venueChanged'),
            },
          ]
        : []),
      ...(isVoidPass(facts.state) ? [] : [{ key: 'code', label: word('code'), value: code }]),
      { key: 'order', label: word('order'), value: facts.orderCode },
      { key: 'organizer', label: word('organizer'), value: facts.organizer },
      { key: 'about', label: word('about'), value: word('admitsOne') },
    ],
  }
}

/** Null for a guest whose name is not known yet: they came with the party. */
const nameOf = ({ attendeeName, isLead, partyLead }: PassFacts) => (isLead ? partyLead : attendeeName)

/** White on what is dark, black on what is light, by how bright it looks. */
const colorsOf = (color: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  const linear = (part: number) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4)
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  const text = luminance > 0.179 ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 255)'
  return { background: `rgb(${red}, ${green}, ${blue})`, foreground: text, label: text }
}

/** The words of a pass in every language, as files of it. */
export const stringsFiles = (): Map<string, Buffer> =>
  new Map(
    LANGUAGES.map((language) => {
      const lines = Object.entries(PASS_WORDS[language]).map(
        ([name, text]) => `${quoted(word(name as PassWord))} = ${quoted(text)};\n`,
      )
      return [`${language}.lproj/pass.strings`, Buffer.from(lines.join(''))]
    }),
  )

const quoted = (text: string) => `"${text.replace(/["\\]/g, (letter) => `\\${letter}`)}"`
