import { ROLE_SENTENCES } from '../access/callers.ts'
import type { CallerScope, VisitorScope } from '../access/scopes.ts'
import { type ActiveMembership, findActiveMemberships } from '../access/sessions.ts'
import type { RawAnswer } from '../http/answers.ts'
import { html } from '../kernel/html.ts'
import { showDateAndTime } from '../kernel/times.ts'
import { consolePage } from '../pages/console-page.ts'
import { type Passkey, findPasskeys } from './passkeys/records.ts'
import { PASSKEY_REGISTRATION } from './passkeys/script.ts'
import { type Session, findEventTitles, findSessions } from './records.ts'

/** What is a person's own: where they are signed in, their passkeys, their other accounts. */
export const accountPage = async (visitor: VisitorScope, member: CallerScope): Promise<RawAnswer> => {
  const { account, actor, credential } = member
  const place = { accountId: account.id, membershipId: actor.membershipId }
  const role = credential.role!
  const worksOnEvents = role === 'owner' || role === 'manager' || role === 'co_organizer'
  const { sessions, passkeys, memberships, events } = await visitor.consistentRead(async (rows) => ({
    sessions: await findSessions(rows, place),
    passkeys: await findPasskeys(rows, actor.personId),
    memberships: await findActiveMemberships(rows, actor.personId),
    events: worksOnEvents ? await findEventTitles(rows, { ...place, isAssigned: role === 'co_organizer' }) : [],
  }))
  const date = dateIn(account.timeZone)

  return consolePage({
    title: account.name,
    script: PASSKEY_REGISTRATION,
    navigation: html`<form method="post" action="/sign_out"><button class="quiet">Sign out</button></form>`,
    body: html`<h1 dir="auto">${account.name}</h1>
      <p>Signed in as <strong dir="auto">${actor.name}</strong> (${actor.email}). ${ROLE_SENTENCES[role]}</p>
      ${worksOnEvents && eventList(events, date)}
      ${otherAccounts(memberships.filter(({ membershipId }) => membershipId !== actor.membershipId))}
      ${passkeyList(passkeys, date)} ${sessionList(sessions, credential.id, date)}
      <section>
        <h2>Password</h2>
        <p><a href="/password">Choose a new password</a> by a link in your mail.</p>
      </section>`,
  })
}

type ShowDate = (date: Date | null) => string

const dateIn =
  (timeZone: string): ShowDate =>
  (date) =>
    date ? showDateAndTime(date, timeZone) : 'never'

const eventList = (events: { title: string; startsAt: Date }[], date: ShowDate) =>
  html`<section id="events">
    <h2>Your next events</h2>
    ${
      events.length === 0
        ? html`<p class="muted">None at the moment.</p>`
        : html`<ul class="rows">
            ${events.map(
              ({ title, startsAt }) =>
                html`<li><span dir="auto">${title}</span><span class="muted">${date(startsAt)}</span></li>`,
            )}
          </ul>`
    }
  </section>`

const otherAccounts = (memberships: ActiveMembership[]) =>
  memberships.length > 0 &&
  html`<section id="accounts">
    <h2>Your other accounts</h2>
    <ul class="rows">
      ${memberships.map(
        ({ accountName, membershipId }) =>
          html`<li>
            <span dir="auto">${accountName}</span>
            <form method="post" action="/account/switch">
              <button class="quiet" name="membership_id" value="${membershipId}">Open</button>
            </form>
          </li>`,
      )}
    </ul>
  </section>`

const passkeyList = (passkeys: Passkey[], date: ShowDate) =>
  html`<section id="passkeys">
    <h2>Passkeys</h2>
    <p class="muted">With a passkey you sign in by fingerprint, face or PIN of your device.</p>
    ${
      passkeys.length > 0 &&
      html`<ul class="rows">
        ${passkeys.map(
          ({ id, name, lastUsedAt }) =>
            html`<li>
              <span>${name}<br /><span class="muted small">last used: ${date(lastUsedAt)}</span></span>
              <form method="post" action="/account/passkeys/${id}/removal"><button class="quiet">Remove</button></form>
            </li>`,
        )}
      </ul>`
    }
    <p><button type="button" class="quiet" id="passkey" hidden>Add a passkey</button></p>
    <p class="notice bad" role="alert" id="passkey-fault" hidden></p>
    <noscript><p class="muted small">Adding one needs JavaScript.</p></noscript>
  </section>`

const sessionList = (sessions: Session[], currentId: number, date: ShowDate) =>
  html`<section id="sessions">
    <h2>Where you are signed in</h2>
    <ul class="rows">
      ${sessions.map(
        ({ id, browser, lastUsedAt, createdAt }) =>
          html`<li>
            <span
              >${browser}<br />
              <span class="muted small">since ${date(createdAt)}, last used: ${date(lastUsedAt)}</span></span
            >
            ${
              id === currentId
                ? html`<span class="tag good">this browser</span>`
                : html`<form method="post" action="/account/sessions/${id}/end">
                    <button class="quiet">End</button>
                  </form>`
            }
          </li>`,
      )}
    </ul>
  </section>`
