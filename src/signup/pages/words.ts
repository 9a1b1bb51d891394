import { NO_ROOM_MESSAGE } from '../../admissions/rules.ts'
import { type Language, defineWords, plural } from '../../languages/rules.ts'
import { translate } from '../../languages/translate.ts'
import { showMessage } from '../../kernel/message-words.ts'
import { type SignupFault, HONEYPOT_FILLED_MESSAGE, NO_MORE_COMPANIONS_MESSAGE } from './rules.ts'

export const SIGNUP_WORDS = defineWords(
  {
    guestList: 'Guest list',
    scanToSignUp: 'Scan to sign up',
    guestListOf: (event: string) => `Guest list: ${event}`,
    doorsOpenAt: (time: string) => `Doors open at ${time}`,

    signUp: 'Sign up',
    ticketsAtOnce: 'Your tickets come by email right away, as long as places are left.',
    subjectToConfirmation: 'Every signup is subject to confirmation. Once it is confirmed, your tickets come by email.',
    ticketsGoHere: 'Your tickets go to this address.',
    leaveEmpty: 'Leave this field empty',
    optional: 'optional',
    pleaseChoose: 'Please choose',
    whoComesAlong: 'Who comes along?',
    howManyMore: 'How many more?',
    justMe: 'Just me',
    companions: (count: number) => plural('en', count, { one: '1 companion', other: `${count} companions` }),

    nothingSaved: 'Nothing has been saved yet.',
    haveAnotherLook: 'Please have another look:',

    eventCancelled: 'This event is cancelled.',
    listClosed: 'This guest list is closed.',
    noMoreSignups:
      'New signups are not possible any more. If you have signed up already, the link in your email still leads to your own page.',
    alreadySignedUp: 'You are already signed up.',
    mailToYourPage:
      'We have sent an email to your address: it leads to your own page or brings your tickets again. It can take a minute; please look among the unwanted mails too.',

    notHere: 'This page is not here',
    linkReplaced: 'The link may have been replaced. Please ask whoever gave it to you for the current one.',
    didNotWork: 'That did not work',
  },
  {
    guestList: 'Gästeliste',
    scanToSignUp: 'Scannen und anmelden',
    guestListOf: (event) => `Gästeliste: ${event}`,
    doorsOpenAt: (time) => `Einlass ab ${time}`,

    signUp: 'Anmelden',
    ticketsAtOnce: 'Ihre Tickets kommen sofort per E-Mail, solange Plätze frei sind.',
    subjectToConfirmation:
      'Jede Anmeldung wird erst geprüft. Sobald sie bestätigt ist, kommen Ihre Tickets per E-Mail.',
    ticketsGoHere: 'An diese Adresse senden wir Ihre Tickets.',
    leaveEmpty: 'Dieses Feld bitte leer lassen',
    optional: 'freiwillig',
    pleaseChoose: 'Bitte wählen',
    whoComesAlong: 'Wen bringen Sie mit?',
    howManyMore: 'Wie viele noch?',
    justMe: 'Nur mich',
    companions: (count) => plural('de', count, { one: '1 Begleitung', other: `${count} Begleitpersonen` }),

    nothingSaved: 'Es ist noch nichts gespeichert.',
    haveAnotherLook: 'Bitte sehen Sie noch einmal nach:',

    eventCancelled: 'Diese Veranstaltung ist abgesagt.',
    listClosed: 'Diese Gästeliste ist geschlossen.',
    noMoreSignups:
      'Neue Anmeldungen sind nicht mehr möglich. Wenn Sie schon angemeldet sind, führt der Link in Ihrer E-Mail weiterhin zu Ihrer eigenen Seite.',
    alreadySignedUp: 'Sie sind bereits angemeldet.',
    mailToYourPage:
      'Wir haben Ihnen eine E-Mail gesendet: Sie führt zu Ihrer eigenen Seite oder bringt Ihre Tickets noch einmal. Das kann eine Minute dauern; bitte sehen Sie auch im Spam-Ordner nach.',

    notHere: 'Diese Seite gibt es hier nicht',
    linkReplaced: 'Vielleicht wurde der Link ersetzt. Bitte fragen Sie nach dem aktuellen, wo Sie ihn bekommen haben.',
    didNotWork: 'Das hat nicht geklappt',
  },
)

export const OWN_PAGE_WORDS = defineWords(
  {
    yourSignup: 'Your signup',
    yourSignupOf: (event: string) => `Your signup: ${event}`,
    notices: {
      received: 'Thank you. We have your signup and have sent you an email with the link to this page.',
      confirmed: 'Thank you. You are on the list, and your tickets are on their way to your inbox.',
      added: 'Your companions are on the list. Their tickets are on their way to your inbox.',
      waiting: 'Your companions are noted. They still have to be confirmed.',
      sent: 'Your tickets are on their way to your inbox.',
      soon: 'Your tickets were sent less than a minute ago. Please give them a moment, and look among the unwanted mails too.',
    },
    tags: {
      cancelled: 'Cancelled',
      waiting: 'Waiting',
      notAccepted: 'Not accepted',
      confirmed: 'Confirmed',
    },
    sentences: {
      eventCancelled: 'This event is cancelled.',
      waiting: 'Your signup is waiting for confirmation. You will get your tickets by email.',
      notAccepted: 'Your signup was not accepted this time.',
      ticketsCancelled: 'Your tickets were cancelled.',
      confirmed: 'You are on the list. Your tickets came by email.',
    },
    status: 'Status',
    name: 'Name',
    party: 'Party',
    people: (count: number) => plural('en', count, { one: 'Just you', other: `${count} people` }),
    companions: 'Companions',
    waiting: 'Waiting',
    moreCompanions: (count: number) =>
      plural('en', count, { one: '1 more companion', other: `${count} more companions` }),
    tickets: 'Tickets',
    yourTickets: (count: number) => plural('en', count, { one: 'Your ticket', other: 'Your tickets' }),
    onYourPhone: 'On your phone',
    lostTheMail: (count: number) =>
      `Lost the email? We send ${plural('en', count, { one: 'it', other: 'them' })} again to the address you signed up with.`,
    sendAgain: (count: number) => `Send my ${plural('en', count, { one: 'ticket', other: 'tickets' })} again`,
    bringMore: 'Bring more companions',
    mayBring: (most: number) =>
      plural('en', most, { one: 'You may bring one more.', other: `You may bring up to ${most} more.` }),
    confirmedToo: 'They have to be confirmed too.',
    add: 'Add',
  },
  {
    yourSignup: 'Ihre Anmeldung',
    yourSignupOf: (event) => `Ihre Anmeldung: ${event}`,
    notices: {
      received: 'Danke. Ihre Anmeldung ist da, und wir haben Ihnen eine E-Mail mit dem Link zu dieser Seite gesendet.',
      confirmed: 'Danke. Sie stehen auf der Liste, und Ihre Tickets sind per E-Mail unterwegs.',
      added: 'Ihre Begleitung steht auf der Liste. Die Tickets sind per E-Mail unterwegs.',
      waiting: 'Ihre Begleitung ist notiert. Sie muss noch bestätigt werden.',
      sent: 'Ihre Tickets sind per E-Mail unterwegs.',
      soon: 'Ihre Tickets wurden vor weniger als einer Minute gesendet. Bitte warten Sie einen Moment und sehen Sie auch im Spam-Ordner nach.',
    },
    tags: {
      cancelled: 'Abgesagt',
      waiting: 'Wartet',
      notAccepted: 'Nicht angenommen',
      confirmed: 'Bestätigt',
    },
    sentences: {
      eventCancelled: 'Diese Veranstaltung ist abgesagt.',
      waiting: 'Ihre Anmeldung wartet auf Bestätigung. Ihre Tickets bekommen Sie per E-Mail.',
      notAccepted: 'Ihre Anmeldung konnte dieses Mal nicht angenommen werden.',
      ticketsCancelled: 'Ihre Tickets wurden storniert.',
      confirmed: 'Sie stehen auf der Liste. Ihre Tickets kamen per E-Mail.',
    },
    status: 'Stand der Anmeldung',
    name: 'Name',
    party: 'Personen',
    people: (count) => plural('de', count, { one: 'Nur Sie', other: `${count} Personen` }),
    companions: 'Begleitung',
    waiting: 'Wartet',
    moreCompanions: (count) =>
      plural('de', count, { one: '1 weitere Begleitung', other: `${count} weitere Begleitpersonen` }),
    tickets: 'Tickets',
    yourTickets: (count) => plural('de', count, { one: 'Ihr Ticket', other: 'Ihre Tickets' }),
    onYourPhone: 'Auf Ihrem Telefon',
    lostTheMail: (count) =>
      `Ist die E-Mail verschwunden? Wir senden ${plural('de', count, { one: 'es', other: 'sie' })} noch einmal an die Adresse Ihrer Anmeldung.`,
    sendAgain: (count) => `${plural('de', count, { one: 'Mein Ticket', other: 'Meine Tickets' })} noch einmal senden`,
    bringMore: 'Weitere Begleitung mitbringen',
    mayBring: (most) =>
      plural('de', most, {
        one: 'Sie können noch eine Person mitbringen.',
        other: `Sie können noch bis zu ${most} Personen mitbringen.`,
      }),
    confirmedToo: 'Auch sie müssen bestätigt werden.',
    add: 'Hinzufügen',
  },
)

/** The labels of inputs as faults name them, in JSON always in English. */
export const FIELD_WORDS = defineWords(
  {
    name: 'Name',
    email: 'Email',
    company: 'Company',
    phone: 'Phone',
    companions: 'Companions',
    companionName: (number: number) => `Name of companion ${number}`,
    answers: 'Answers',
  },
  {
    name: 'Name',
    email: 'E-Mail-Adresse',
    company: 'Firma',
    phone: 'Telefon',
    companions: 'Begleitung',
    companionName: (number) => `Name der Begleitung ${number}`,
    answers: 'Antworten',
  },
)

/** Whole sentences that are told as JSON too, and there in English. */
export const SIGNUP_FAULT_WORDS = defineWords(
  {
    closed: 'The guest list is closed',
    notAccepted: 'This signup was not accepted',
    cancelled: 'These tickets were cancelled',
    noTickets: 'There are no tickets to send',
    noMoreCompanions: NO_MORE_COMPANIONS_MESSAGE,
    noRoom: NO_ROOM_MESSAGE,
    leaveEmpty: HONEYPOT_FILLED_MESSAGE,
    tooMany: 'Too many requests',
    notFound: 'Not found',
  },
  {
    closed: 'Die Gästeliste ist geschlossen',
    notAccepted: 'Diese Anmeldung wurde nicht angenommen',
    cancelled: 'Diese Tickets wurden storniert',
    noTickets: 'Es gibt keine Tickets zu senden',
    noMoreCompanions: 'Mehr Begleitung ist nicht möglich',
    noRoom: 'Es sind nicht genügend Plätze frei',
    leaveEmpty: 'Dieses Feld bitte leer lassen',
    tooMany: 'Zu viele Anfragen',
    notFound: 'Nicht gefunden',
  },
)

export const OWN_PAGE_MAIL_WORDS = defineWords(
  {
    title: (event: string) => `Your signup for ${event}`,
    preheader: (organizer: string) => `${organizer}: see where your signup stands`,
    openings: {
      received: (event: string) =>
        `Your request for the guest list of ${event} has arrived. As soon as it is confirmed, your tickets come to this address.`,
      repeated: (event: string) =>
        `Somebody has just signed up for ${event} with this address, which is signed up already. Nothing has changed.`,
    },
    whatThePageIsFor:
      'On your own page you see where your signup stands, have your tickets sent again and add companions. Keep the link to yourself.',
    openYourPage: 'Open your page',
    footer: (organizer: string) =>
      `${organizer} · You get this mail because this address was entered on a guest list. If that was not you, there is nothing to do.`,
  },
  {
    title: (event) => `Ihre Anmeldung für ${event}`,
    preheader: (organizer) => `${organizer}: So steht es um Ihre Anmeldung`,
    openings: {
      received: (event) =>
        `Ihre Anmeldung zur Gästeliste von ${event} ist angekommen. Sobald sie bestätigt ist, kommen Ihre Tickets an diese Adresse.`,
      repeated: (event) =>
        `Jemand hat sich gerade mit dieser Adresse für ${event} angemeldet; sie ist bereits angemeldet. Es hat sich nichts geändert.`,
    },
    whatThePageIsFor:
      'Auf Ihrer eigenen Seite sehen Sie den Stand Ihrer Anmeldung, lassen sich Ihre Tickets noch einmal senden und melden Begleitung an. Bitte geben Sie den Link nicht weiter.',
    openYourPage: 'Zu Ihrer Seite',
    footer: (organizer) =>
      `${organizer} · Sie bekommen diese E-Mail, weil diese Adresse auf einer Gästeliste eingetragen wurde. Falls Sie das nicht waren, müssen Sie nichts tun.`,
  },
)

/** What is wrong with an input, as a page says it. The label of a question is the venue's own. */
export const showFault = ({ field, label, message }: SignupFault, language: Language): string => {
  const said = showMessage(translate(SIGNUP_FAULT_WORDS, message, language), language)
  if (label === '') return said
  const isVenues = field === 'answers' && label !== FIELD_WORDS.en.answers
  return `${isVenues ? label : translate(FIELD_WORDS, label, language)} ${said}`
}
