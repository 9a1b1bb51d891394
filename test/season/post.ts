import type { TakenMail } from '../kit/network/mail-server.ts'

export type MailKind = 'tickets' | 'own page' | 'invitation'

const SUBJECTS: Record<MailKind, RegExp> = {
  tickets: /^Subject: Your tickets for/im,
  'own page': /^Subject: Your signup for/im,
  invitation: /^Subject: Invitation to/im,
}

interface Expected {
  least: number
  most: number
}

/** What everybody was promised by mail, to be held against what the mail server took. */
export const openPost = () => {
  const expected = new Map<string, Expected>()
  const expect = (address: string, kind: MailKind, { least, most }: Expected = { least: 1, most: 1 }) => {
    expected.set(`${kind} to ${address}`, { least, most })
  }

  /** A mail that was in flight when somebody was killed may come twice, as the very same one. */
  const findFaults = (taken: readonly TakenMail[], interruptions: number): string[] => {
    const found: string[] = []
    const once = new Map(taken.map((mail) => [mail.messageId, mail]))
    const doubled = taken.length - once.size
    if (doubled > interruptions * AT_ONCE) found.push(`${doubled} mails came twice`)
    const counts = new Map<string, number>()
    for (const { to, source } of once.values()) {
      const kind = (Object.keys(SUBJECTS) as MailKind[]).find((each) => SUBJECTS[each].test(source))
      if (kind) counts.set(`${kind} to ${to}`, (counts.get(`${kind} to ${to}`) ?? 0) + 1)
    }
    for (const [what, { least, most }] of expected) {
      const count = counts.get(what) ?? 0
      if (count < least || count > most) found.push(`${what}: ${count} instead of ${least} to ${most}`)
    }
    for (const what of counts.keys()) if (!expected.has(what)) found.push(`${what}, though nothing had happened`)
    return found
  }
  /** Who must have a mail of this kind. */
  const promised = (kind: MailKind): string[] =>
    [...expected].flatMap(([what, { least }]) =>
      least > 0 && what.startsWith(`${kind} to `) ? what.split(' to ')[1]! : [],
    )

  return { expect, findFaults, promised }
}

const AT_ONCE = 8
