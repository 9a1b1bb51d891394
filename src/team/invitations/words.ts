import { defineWords } from '../../languages/rules.ts'

const article = (noun: string) => (/^[aeiou]/.test(noun) ? 'an' : 'a')

export const INVITATION_WORDS = defineWords(
  {
    join: (account: string) => `Join ${account}`,
    /** Beside the name of whoever invites. */
    invitesYouAs: (role: string) => `invites you as ${article(role)} ${role}.`,
    invitedAs: (role: string) => `You are invited as ${article(role)} ${role}.`,
    yourEvents: 'Your events',
    yourProgrammes: 'Your programmes',
    yourCodeIs: 'your code is',
    willSignInWith: 'You will sign in with',
    name: 'Name',
    password: 'Password',
    atLeast: (least: number) => `At least ${least} characters.`,
    joinAs: 'You join as',
    keepPassword: 'and keep your password.',
    staysAs: (role: string) => `You are here already, and stay ${article(role)} ${role}.`,
    accept: 'Accept the invitation',
    invitation: 'Invitation',
    deadLink: 'This link does not work',
    unknown: 'Nobody is invited by this link. Perhaps a part of it got lost; try to open it from the mail again.',
    signIn: 'Sign in',
  },
  {
    join: (account) => `Einladung zu ${account}`,
    invitesYouAs: (role) => `lädt Sie ein, Ihre Rolle: ${role}.`,
    invitedAs: (role) => `Sie sind eingeladen, Ihre Rolle: ${role}.`,
    yourEvents: 'Ihre Veranstaltungen',
    yourProgrammes: 'Ihre Programme',
    yourCodeIs: 'Ihr Code lautet',
    willSignInWith: 'Ihre Anmeldung läuft über',
    name: 'Name',
    password: 'Passwort',
    atLeast: (least) => `Mindestens ${least} Zeichen.`,
    joinAs: 'Sie kommen dazu als',
    keepPassword: 'und behalten Ihr Passwort.',
    staysAs: (role) => `Sie gehören schon dazu und behalten Ihre Rolle: ${role}.`,
    accept: 'Einladung annehmen',
    invitation: 'Einladung',
    deadLink: 'Dieser Link funktioniert nicht',
    unknown:
      'Mit diesem Link ist niemand eingeladen. Vielleicht fehlt ein Stück davon; bitte öffnen Sie ihn noch einmal aus der E-Mail.',
    signIn: 'Anmelden',
  },
)

/** Why a link opens nothing more; told as JSON too, and there in English. */
export const OBSTACLE_WORDS = defineWords(
  {
    accepted: 'This invitation has been accepted already.',
    withdrawn: 'This invitation has been withdrawn.',
    expired: 'This invitation has run out. Ask for it to be sent again.',
    tooMany: 'Too many requests',
    forbidden: 'You are not allowed to make this change',
  },
  {
    accepted: 'Diese Einladung wurde schon angenommen.',
    withdrawn: 'Diese Einladung wurde zurückgezogen.',
    expired: 'Diese Einladung ist abgelaufen. Bitten Sie darum, dass sie noch einmal gesendet wird.',
    tooMany: 'Zu viele Anfragen',
    forbidden: 'Diese Änderung ist Ihnen nicht erlaubt',
  },
)

export const INVITATION_MAIL_WORDS = defineWords(
  {
    subject: (account: string) => `Invitation to ${account}`,
    title: (account: string) => `Join ${account}`,
    invites: (inviter: string, account: string) => `${inviter} invites you to work with ${account}`,
    invited: (account: string) => `You are invited to work with ${account}`,
    asRole: (invitation: string, role: string) => `${invitation} as ${role}.`,
    yourEvents: (titles: string) => `Your events: ${titles}.`,
    yourProgrammes: (names: string) => `Your programmes: ${names}.`,
    withCode: (name: string, code: string) => `${name} (code ${code})`,
    linkWorks: (days: number) =>
      `The link works for ${days} days, for you alone. If you did not expect this, you need not do anything.`,
    accept: 'Accept the invitation',
    footer: (account: string) => `Sent by Foyer on behalf of ${account}.`,
  },
  {
    subject: (account) => `Einladung zu ${account}`,
    title: (account) => `Einladung zu ${account}`,
    invites: (inviter, account) => `${inviter} lädt Sie ein, bei ${account} mitzuarbeiten`,
    invited: (account) => `Sie sind eingeladen, bei ${account} mitzuarbeiten`,
    asRole: (invitation, role) => `${invitation}. Ihre Rolle: ${role}.`,
    yourEvents: (titles) => `Ihre Veranstaltungen: ${titles}.`,
    yourProgrammes: (names) => `Ihre Programme: ${names}.`,
    withCode: (name, code) => `${name} (Code ${code})`,
    linkWorks: (days) =>
      `Der Link gilt ${days} Tage lang und nur für Sie. Falls Sie diese Einladung nicht erwartet haben, müssen Sie nichts tun.`,
    accept: 'Einladung annehmen',
    footer: (account) => `Von Foyer im Auftrag von ${account} gesendet.`,
  },
)
