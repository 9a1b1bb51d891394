import { type Language, defineWords } from '../languages/rules.ts'
import { translate } from '../languages/translate.ts'
import * as messages from './messages.ts'

/** What the messages of messages.ts are on a page: programs match on the English ones, people read these. */
export const MESSAGE_WORDS = defineWords(
  {
    blank: messages.BLANK_MESSAGE,
    mustBeBlank: messages.MUST_BE_BLANK_MESSAGE,
    notIncluded: messages.NOT_INCLUDED_MESSAGE,
    invalid: messages.INVALID_MESSAGE,
    notANumber: messages.NOT_A_NUMBER_MESSAGE,
    notAnInteger: messages.NOT_AN_INTEGER_MESSAGE,
    taken: messages.TAKEN_MESSAGE,
    mustExist: messages.MUST_EXIST_MESSAGE,
    containsUrl: messages.CONTAINS_URL_MESSAGE,
    takenTwice: messages.DUPLICATE_ENTRY_MESSAGE,
    tooManyDecimals: messages.TOO_MANY_DECIMALS_MESSAGE,
    tooMuchMarkup: messages.TOO_MUCH_MARKUP_MESSAGE,
    notAccepted: messages.NOT_ACCEPTED_MESSAGE,
    tooLong: messages.tooLongMessage,
    tooShort: messages.tooShortMessage,
    atLeast: messages.atLeastMessage,
    atMost: messages.atMostMessage,
    moreThan: messages.moreThanMessage,
    lessThan: messages.lessThanMessage,
  },
  {
    blank: 'muss ausgefüllt sein',
    mustBeBlank: 'muss leer bleiben',
    notIncluded: 'steht nicht zur Auswahl',
    invalid: 'ist ungültig',
    notANumber: 'ist keine Zahl',
    notAnInteger: 'muss eine ganze Zahl sein',
    taken: 'ist bereits vergeben',
    mustExist: 'muss vorhanden sein',
    containsUrl: 'darf keine Internetadresse enthalten',
    takenTwice: 'enthält denselben Eintrag zweimal',
    tooManyDecimals: 'hat zu viele Nachkommastellen',
    tooMuchMarkup: 'enthält zu viel Formatierung',
    notAccepted: 'muss angenommen werden',
    tooLong: (most) => `ist zu lang (höchstens ${most} Zeichen)`,
    tooShort: (least) => `ist zu kurz (mindestens ${least} Zeichen)`,
    atLeast: (least) => `muss mindestens ${least} sein`,
    atMost: (most) => `darf höchstens ${most} sein`,
    moreThan: (bound) => `muss größer als ${bound} sein`,
    lessThan: (bound) => `muss kleiner als ${bound} sein`,
  },
)

/** A message as it stands in an answer, in the language of a page. */
export const showMessage = (message: string, language: Language): string => translate(MESSAGE_WORDS, message, language)
