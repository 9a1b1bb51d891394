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

/** Asks the person first: only their own click brings us here. */
export const turnPushOn = async (membershipId: number): Promise<PushState> => {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState(membershipId)
  await navigator.serviceWorker.register(WORKER, { scope: SCOPE })
  const registration = await navigator.serviceWorker.ready
  const { public_key: key } = await dataOrThrow(api.GET('/admin/push_key'))
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = subscription.toJSON()
  const { id } = await dataOrThrow(
    api.POST('/admin/push_subscriptions', { body: { push_subscription: { endpoint: endpoint!, keys: keys! } } }),
  )
  localStorage.setItem(storageKey(membershipId), id)
  return 'on'
}

export const turnPushOff = async (membershipId: number): Promise<PushState> => {
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
