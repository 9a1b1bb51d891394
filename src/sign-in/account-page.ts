import type { CallerScope, VisitorScope } from '../access/scopes.ts'
import { type ActiveMembership, findActiveMemberships } from '../access/sessions.ts'
import { ROLE_WORDS } from '../access/words.ts'
import type { RawAnswer } from '../http/answers.ts'
import { html } from '../kernel/html.ts'
import { showDateAndTime } from '../kernel/times.ts'
import type { Language } from '../languages/rules.ts'
import { consolePage } from '../pages/console-page.ts'
import { type Passkey, findPasskeys } from './passkeys/records.ts'
import { PASSKEY_REGISTRATION_SCRIPT } from './passkeys/script.ts'
import { passkeyFaultElement } from './pages.ts'
import { type Session, findEventsOfMember, findSessions } from './records.ts'
import { ACCOUNT_WORDS } from './words.ts'

/** What is a person's own: where they are signed in, their passkeys, their other accounts. */
export const accountPage = async (
  visitor: VisitorScope,
  member: CallerScope,
  language: Language,
): Promise<RawAnswer> => {
  const words = ACCOUNT_WORDS[language]
  const { account, actor, credential } = member
  const place = { accountId: account.id, membershipId: actor.membershipId }
  const role = credential.role!
  const worksOnEvents = role === 'owner' || role === 'manager' || role === 'co_organizer'
  const { sessions, passkeys, memberships, events } = await visitor.consistentReadWith(
    account.id,
    async (people, own) => ({
      sessions: await findSessions(own, place),
      passkeys: await findPasskeys(people, actor.personId),
      memberships: await findActiveMemberships(visitor, actor.personId, (there) => {
        if (there.isSameAs(visitor)) return people
        return there.isHomeOf(account.id) ? own : there.rows
      }),
      events: worksOnEvents ? await findEventsOfMember(own, { ...place, isAssigned: role === 'co_organizer' }) : [],
    }),
  )
  const date = dateIn(account.timeZone, language)

  return consolePage({
    language,
    title: account.name,
    script: PASSKEY_REGISTRATION_SCRIPT,
    navigation: html`<form method="post" action="/sign_out"><button class="quiet">${words.signOut}</button></form>`,
    body: html`<h1 dir="auto">${account.name}</h1>
      <p>
        ${words.signedInAs} <strong dir="auto">${actor.name}</strong> (${actor.email}).
        ${ROLE_WORDS[language].sentences[role]}
      </p>
      ${worksOnEvents && eventList(events, date, words)}
      ${otherAccounts(
        memberships.filter(({ membershipId }) => membershipId !== actor.membershipId),
        words,
      )}
      ${passkeyList(passkeys, date, language)} ${sessionList(sessions, credential.id, date, words)}
      <section>
        <h2>${words.password}</h2>
        <p><a href="/password">${words.newPassword}</a> ${words.byMail}</p>
      </section>`,
  })
}

type Words = (typeof ACCOUNT_WORDS)[Language]
type ShowDate = (date: Date | null) => string

const dateIn =
  (timeZone: string, language: Language): ShowDate =>
  (date) =>
    date ? showDateAndTime(date, timeZone, language) : ACCOUNT_WORDS[language].never

const eventList = (events: { title: string; startsAt: Date }[], date: ShowDate, words: Words) =>
  html`<section id="events">
    <h2>${words.nextEvents}</h2>
    ${
      events.length === 0
        ? html`<p class="muted">${words.noEvents}</p>`
        : html`<ul class="rows">
            ${events.map(
              ({ title, startsAt }) =>
                html`<li><span dir="auto">${title}</span><span class="muted">${date(startsAt)}</span></li>`,
            )}
          </ul>`
    }
  </section>`

const otherAccounts = (memberships: ActiveMembership[], words: Words) =>
  memberships.length > 0 &&
  html`<section id="accounts">
    <h2>${words.otherAccounts}</h2>
    <ul class="rows">
      ${memberships.map(
        ({ accountName, membershipId }) =>
          html`<li>
            <span dir="auto">${accountName}</span>
            <form method="post" action="/account/switch">
              <button class="quiet" name="membership_id" value="${membershipId}">${words.open}</button>
            </form>
          </li>`,
      )}
    </ul>
  </section>`

const passkeyList = (passkeys: Passkey[], date: ShowDate, language: Language) => {
  const words = ACCOUNT_WORDS[language]
  return html`<section id="passkeys">
    <h2>${words.passkeys}</h2>
    <p class="muted">${words.whatPasskeysDo}</p>
    ${
      passkeys.length > 0 &&
      html`<ul class="rows">
        ${passkeys.map(
          ({ id, name, lastUsedAt }) =>
            html`<li>
              <span>${name}<br /><span class="muted small">${words.lastUsed(date(lastUsedAt))}</span></span>
              <form method="post" action="/account/passkeys/${id}/removal">
                <button class="quiet">${words.remove}</button>
              </form>
            </li>`,
        )}
      </ul>`
    }
    <p><button type="button" class="quiet" id="passkey" hidden>${words.addPasskey}</button></p>
    ${passkeyFaultElement(language)}
    <noscript><p class="muted small">${words.needsScript}</p></noscript>
  </section>`
}

const sessionList = (sessions: Session[], currentId: number, date: ShowDate, words: Words) =>
  html`<section id="sessions">
    <h2>${words.whereSignedIn}</h2>
    <ul class="rows">
      ${sessions.map(
        ({ id, browser, lastUsedAt, createdAt }) =>
          html`<li>
            <span
              >${browser}<br />
              <span class="muted small">${words.sinceAndUsed(date(createdAt), date(lastUsedAt))}</span></span
            >
            ${
              id === currentId
                ? html`<span class="tag good">${words.thisBrowser}</span>`
                : html`<form method="post" action="/account/sessions/${id}/end">
                    <button class="quiet">${words.end}</button>
                  </form>`
            }
          </li>`,
      )}
    </ul>
  </section>`
