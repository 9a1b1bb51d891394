import { defineWords } from '../languages/rules.ts'

export const REFUSAL_PAGE_WORDS = defineWords(
  {
    notHere: 'This page is not here',
    movedOrGone: 'It may have been moved or taken down.',
    malformed: 'The request is malformed',
    other: 'That did not work',
    unavailable: 'The service is temporarily unavailable',
    failed: 'Something went wrong',
    notAllowed: 'Method not allowed',
    tooMany: 'Too many requests',
    tooLarge: 'The body is too large',
    wrongType: 'The content type is not supported; send application/json',
    wrongLength: 'The body is shorter or longer than announced',
    wrongAddress: 'The address is malformed',
    notFound: 'Not found',
  },
  {
    notHere: 'Diese Seite gibt es hier nicht',
    movedOrGone: 'Vielleicht wurde sie verschoben oder entfernt.',
    malformed: 'Die Anfrage ist fehlerhaft',
    other: 'Das hat nicht geklappt',
    unavailable: 'Der Dienst ist vorübergehend nicht erreichbar',
    failed: 'Da ist etwas schiefgegangen',
    notAllowed: 'Das ist an dieser Adresse nicht möglich',
    tooMany: 'Zu viele Anfragen',
    tooLarge: 'Die Anfrage ist zu groß',
    wrongType: 'Dieser Inhaltstyp wird nicht unterstützt',
    wrongLength: 'Die Anfrage ist kürzer oder länger als angekündigt',
    wrongAddress: 'Die Adresse ist fehlerhaft',
    notFound: 'Nicht gefunden',
  },
)
