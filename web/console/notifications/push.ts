import { api } from '../../api/api.ts'
import { dataOrThrow, isRefusal } from '../../api/client.ts'

export type PushState = 'missing' | 'denied' | 'off' | 'on'

const WORKER = '/console/workers/service-worker.js'
const SCOPE = '/console/'

/** Whose browser it is: each membership has its own subscription, also on a machine that is shared. */
const storageKey = (membershipId: number) => `foyer.push.${membershipId}`

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

const findSubscription = async (): Promise<PushSubscription | null> => {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  return (await registration?.pushManager.getSubscription()) ?? null
}

export const readPushState = async (membershipId: number): Promise<PushState> => {
  if (!isSupported()) return 'missing'
  if (Notification.permission === 'denied') return 'denied'
  const isKept = localStorage.getItem(storageKey(membershipId)) !== null
  return isKept && (await findSubscription()) ? 'on' : 'off'
}

const signUp = async (membershipId: number, subscription: PushSubscription) => {
  const { endpoint, keys } = subscription.toJSON()
  const { id } = await dataOrThrow(
    api.POST('/admin/push_subscriptions', { body: { push_subscription: { endpoint: endpoint!, keys: keys! } } }),
  )
  localStorage.setItem(storageKey(membershipId), id)
}

let renewal: Promise<unknown> = Promise.resolve()

/**
 * What signed this browser up ends with its session, so that whoever has signed in again is signed up again. Where that
 * fails the next page that is loaded tries it anew.
 */
export const renewPush = (membershipId: number): void => {
  const renew = async () => {
    if ((await readPushState(membershipId)) !== 'on') return
    const subscription = await findSubscription()
    if (subscription) await signUp(membershipId, subscription)
  }
  renewal = renew().catch(() => 'tried again at the next load')
}

/** Asks the person first: only their own click brings us here. */
export const turnPushOn = async (membershipId: number): Promise<PushState> => {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState(membershipId)
  await navigator.serviceWorker.register(WORKER, { scope: SCOPE })
  const registration = await navigator.serviceWorker.ready
  const { public_key: key } = await dataOrThrow(api.GET('/admin/push_key'))
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  await signUp(membershipId, subscription)
  return 'on'
}

export const turnPushOff = async (membershipId: number): Promise<PushState> => {
  // One that is under way would sign the browser up again behind our back.
  await renewal
  const id = localStorage.getItem(storageKey(membershipId))
  if (id !== null) {
    const params = { path: { subscription_id: id } }
    await dataOrThrow(api.DELETE('/admin/push_subscriptions/{subscription_id}', { params })).catch(
      (refusal: unknown) => {
        // The server has let go of it already.
        if (!isRefusal(refusal, 'not_found')) throw refusal
      },
    )
    localStorage.removeItem(storageKey(membershipId))
  }
  await (await findSubscription())?.unsubscribe()
  return 'off'
}
