import type { Browser, BrowserContext, Page, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInAs } from '../kit/browser/console.ts'
import { waitForToast } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { PATIENT, TASKS, idOf, openTaskDesk } from '../kit/browser/task-board.ts'
import { CONSOLE, openWholeBrowserAt } from '../kit/browser/watched-browser.ts'
import { theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openWholeBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const SLOW = { timeout: 180_000 }
const INBOX = `${CONSOLE}/console/inbox`

/** No push service can be reached from here: the browser's own part of signing up is played. */
const SUBSCRIPTION = {
  endpoint: 'https://push.example.com/send/dGhpcyBpcyBhIHN1YnNjcmlwdGlvbg',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
}
const PLAY_BROWSER = `
  const kept = () => localStorage.getItem('test.subscribed') === null ? null : {
    toJSON: () => (${JSON.stringify(SUBSCRIPTION)}),
    unsubscribe: async () => { localStorage.removeItem('test.subscribed'); return true },
  }
  PushManager.prototype.getSubscription = async () => kept()
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    localStorage.setItem('test.subscribed', applicationServerKey + ' ' + userVisibleOnly)
    return kept()
  }
  if (Notification.permission === 'denied') Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
`

/** A browser without windows shows no notifications, whatever it was granted: there the worker keeps them. */
const KEEP_NOTIFICATIONS = `(() => {
  if (Notification.permission === 'granted') return
  const shown = []
  self.registration.showNotification = async (title, { data }) => void shown.push({ title, data, close: () => {} })
  self.registration.getNotifications = async () => shown
})()`

const openWorker = async (context: BrowserContext): Promise<Worker> => {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(KEEP_NOTIFICATIONS)
  return worker
}

const shownBy = (worker: Worker) =>
  worker.evaluate(`self.registration.getNotifications().then((all) => all.map(({ title, data }) => ({ title, data })))`)

const clickNotification = (worker: Worker) =>
  worker.evaluate(`self.registration.getNotifications().then(([notification]) => self.dispatchEvent(
    notification instanceof Notification
      ? new NotificationEvent('notificationclick', { notification })
      : Object.assign(new ExtendableEvent('notificationclick'), { notification })))`)

/** Brings a message to the service worker of the console, as the browser's push service would. */
const deliverPush = async (page: Page, message: object) => {
  const devtools = await page.context().newCDPSession(page)
  const registered = Promise.withResolvers<string>()
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const ours = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${CONSOLE}/console/` && !isDeleted)
    if (ours) registered.resolve(ours.registrationId)
  })
  await devtools.send('ServiceWorker.enable')
  const registrationId = await registered.promise
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: CONSOLE,
    registrationId,
    data: JSON.stringify(message),
  })
  await devtools.detach()
}

test('a person turns notifications on by a click; what comes is shown and leads to the task', SLOW, async () => {
  const { venue, desk, page } = await openTaskDesk(browser)
  const context = page.context()
  await context.grantPermissions(['notifications'], { origin: CONSOLE })
  await context.addInitScript(PLAY_BROWSER)
  const subscriptions = async () =>
    (
      await venue.app.database.pool.query('select endpoint from push_subscriptions where account_id = $1', [
        venue.report.account.id,
      ])
    ).rows
  await page.goto(INBOX)
  const turnOn = page.getByRole('button', { name: 'Show notifications here' })
  await turnOn.waitFor()
  // Nobody is asked, and nothing is installed, before that.
  const scopes = () =>
    page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => scope))')
  expect(await scopes()).toEqual([])
  expect(await subscriptions()).toEqual([])

  await turnOn.click()
  await waitForToast(page, 'Notifications are shown in this browser.')
  expect(await scopes()).toEqual([`${CONSOLE}/console/`])
  expect(await subscriptions()).toEqual([{ endpoint: SUBSCRIPTION.endpoint }])
  const { public_key: key } = (await venue.office.get('/admin/push_key')).body
  expect(await page.evaluate(`localStorage.getItem('test.subscribed')`)).toBe(`${key} true`)
  await desk.expectReadable('inbox-push')

  const id = await idOf(venue, 'Tune the piano')
  const mara = venue.report.people['mara@neue-halle.example']!.membership_id
  await venue.office.patch(`/admin/tasks/${id}`, { task: { assignee_id: mara } })
  const [told] = (await venue.client(venue.report.api_tokens['mara write']).get('/admin/notifications')).body
    .notifications
  const worker = await openWorker(context)
  await deliverPush(page, told)
  await expect
    .poll(() => shownBy(worker), PATIENT)
    .toEqual([{ title: 'Olga Owner gave you “Tune the piano”', data: `/console/tasks/${id}` }])
  // The page that is open hears of it at once.
  await page.getByRole('link', { name: 'Inbox 1 unread' }).waitFor()

  await clickNotification(worker)
  await page.waitForURL(`${TASKS}/${id}`)
  await page.getByRole('heading', { name: 'Tune the piano' }).waitFor()

  await page.goto(INBOX)
  await page.getByRole('button', { name: 'Stop' }).click()
  await waitForToast(page, 'This browser shows no more notifications.')
  expect(await subscriptions()).toEqual([])
  await page.reload()
  await turnOn.waitFor()
  desk.expectNoFaults()
  await context.close()
})

test('whoever signs in again is shown notifications again, once the console is open', SLOW, async () => {
  const { venue, desk, page } = await openTaskDesk(browser)
  const context = page.context()
  await context.grantPermissions(['notifications'], { origin: CONSOLE })
  await context.addInitScript(PLAY_BROWSER)
  /** The browsers that are signed up, each with whether its session has ended. */
  const signedUp = async () =>
    (
      await venue.app.database.pool.query(
        `select p.endpoint, c.revoked_at is not null as "hasEnded"
        from push_subscriptions p join credentials c on c.account_id = p.account_id and c.id = p.credential_id
        where p.account_id = $1`,
        [venue.report.account.id],
      )
    ).rows
  const { endpoint } = SUBSCRIPTION
  await page.goto(INBOX)
  await page.getByRole('button', { name: 'Show notifications here' }).click()
  await waitForToast(page, 'Notifications are shown in this browser.')
  expect(await signedUp()).toEqual([{ endpoint, hasEnded: false }])

  await page.getByRole('button', { name: 'Mara Manager' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/sign_in/)
  expect(await signedUp()).toEqual([{ endpoint, hasEnded: true }])

  // Somebody else at the same machine is not signed up by what she had chosen.
  await signInAs(desk, venue, 'olga@neue-halle.example')
  await page.goto(INBOX)
  await page.getByRole('button', { name: 'Show notifications here' }).waitFor()
  expect(await signedUp()).toEqual([{ endpoint, hasEnded: true }])

  await signInAs(desk, venue, 'mara@neue-halle.example')
  await page.goto(TASKS)
  await expect.poll(signedUp, PATIENT).toEqual([{ endpoint, hasEnded: false }])
  await page.goto(INBOX)
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  desk.expectNoFaults()
  await context.close()
})

test('a browser that may not show notifications says what to do', SLOW, async () => {
  const { desk, page } = await openTaskDesk(browser)
  await page.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`)
  await page.goto(INBOX)
  await page.getByText('This browser is not allowed to show notifications.').waitFor()
  expect(await page.getByRole('button', { name: 'Show notifications here' }).count()).toBe(0)
  desk.expectNoFaults()
  await page.context().close()
})
