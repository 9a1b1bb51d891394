import { Forbidden, NotFound, Unauthorized } from '../kernel/refusals.ts'
import type { Settings } from '../kernel/settings.ts'
import type { App } from './app.ts'
import {
  type RequestFacts,
  authenticate,
  authenticateAtDoor,
  authenticateBySessionCookie,
  requireEvent,
} from './authenticate.ts'
import type { Caller, Permission } from './callers.ts'
import type { SecretTarget } from './directory.ts'
import { isCrossSiteForgery, isForeignOrigin } from './request-origin.ts'
import { type Requirement, requireOrganizer, requireAccountWideOrganizer, requireDoorStaff } from './requirements.ts'
import { AccountScope, CallerScope, EventScope, VisitorScope } from './scopes.ts'
import { type ShopAddress, shopOfHost } from './shop-address.ts'
import { digestOf } from './tokens.ts'

/**
 * Who may come in, and what they are given: a scope under the name the endpoint uses for it.
 * An endpoint does not compile without one.
 */
export interface Access<Given extends object> {
  readonly name: string
  readonly site: 'console' | 'shop'
  readonly needsCredential: boolean
  /** Whether what is done through it is written down in the audit log. */
  readonly isAudited?: boolean
  readonly permission?: Permission
  /** Whether a credential is enough for it, wherever the path leads: throws what `admit` would. */
  readonly requires?: (caller: Caller) => void
  /** At once where everything is remembered, later where something must be looked up. */
  admit(app: App, request: RequestFacts): Given | Promise<Given>
}

export type AccountGrant = { account: CallerScope }
export type EventGrant = { event: EventScope }
export type AssistantGrant = { account: CallerScope; open: ObtainGrant }
export type ShopGrant = { shop: ShopScope }
/** Where the installation is found, and whether it is well: nothing of anybody's. */
export interface AnyoneGrant {
  addresses: Pick<Settings, 'baseUrl' | 'shopDomain'>
  pingDatabase: () => Promise<void>
  findWarnings: App['findWarnings']
  isStopping: App['isStopping']
}
export type VisitorGrant = { visitor: VisitorScope; member: CallerScope | null }
export type InvitationGrant = { invitation: SecretHolderScope | null }
export type PaymentMethodGrant = { paymentMethod: SecretHolderScope }
export type PairingGrant = { pairing: (secret: string) => Promise<SecretHolderScope | null> }

const DOOR = { isAudited: false, identify: authenticateAtDoor }

const accountAccess = (
  name: string,
  requirement: Requirement,
  { isAudited, identify } = { isAudited: true, identify: authenticate },
) => {
  return (permission: Permission): Access<AccountGrant> => ({
    name: `${name}, ${permission}`,
    site: 'console',
    needsCredential: true,
    isAudited: isAudited && permission === 'write',
    permission,
    requires: (caller) => requirement(caller, permission),
    admit: async (app, request) => {
      const { caller } = await identify(app, request, null)
      requirement(caller, permission)
      return { account: new CallerScope(app, caller) }
    },
  })
}

/** The same for the event of the path; an event the caller may not see is not found. */
const eventAccess = (
  name: string,
  requirement: Requirement,
  { isAudited, identify } = { isAudited: true, identify: authenticate },
) => {
  return (permission: Permission): Access<EventGrant> => ({
    name: `${name} of the event, ${permission}`,
    site: 'console',
    needsCredential: true,
    isAudited: isAudited && permission === 'write',
    permission,
    requires: (caller) => requirement(caller, permission),
    admit: async (app, request) => {
      const introduction = await identify(app, request, request.params['event_slug']!)
      requirement(introduction.caller, permission)
      return { event: new EventScope(app, introduction.caller, requireEvent(introduction)) }
    },
  })
}

/** Owners, managers and account tokens everywhere; co-organizers within their assigned events. */
export const organizer = accountAccess('organizer', requireOrganizer)
export const organizerOfEvent = eventAccess('organizer', requireOrganizer)

/** Account-wide business such as vouchers: a co-organizer's credential is not enough. */
export const management = accountAccess('venue', requireAccountWideOrganizer)

/**
 * The venue's money: the same, but of people only owners, whichever credential of theirs they show. The account's own
 * tokens act as its owner.
 */
export const moneyManagement = accountAccess('treasury', (caller, permission) => {
  requireAccountWideOrganizer(caller, permission)
  const { role } = caller.credential
  if (role !== null && role !== 'owner') throw new Unauthorized({ insufficient: true })
})

/** The team: co-organizers are known to it, but may neither read nor change it. */
export const teamManagement = accountAccess('team', (caller, permission) => {
  requireOrganizer(caller, permission)
  if (caller.credential.role === 'co_organizer') throw new Forbidden()
})

/** Setting up what a venue offers: co-organizers are known to it, but may not change it. */
const requireSetup: Requirement = (caller, permission) => {
  requireOrganizer(caller, permission)
  if (caller.credential.role === 'co_organizer') throw new Forbidden()
}

export const setupManagement = accountAccess('setup', requireSetup)

/** The same for the event of the path; that it is one the caller may see is told first. */
export const setupManagementOfEvent = (permission: Permission): Access<EventGrant> => {
  const visible = organizerOfEvent(permission)
  return {
    ...visible,
    name: `setup of the event, ${permission}`,
    requires: (caller) => requireSetup(caller, permission),
    admit: async (app, request) => {
      const given = await visible.admit(app, request)
      requireSetup(given.event.caller, permission)
      return given
    },
  }
}

/** The books: of people owners and managers, of the account's own tokens those that may write. */
export const bookkeeping = accountAccess('books', (caller, permission) => {
  requireSetup(caller, permission)
  const { role, permission: given } = caller.credential
  if (role === null && given !== 'write') throw new Unauthorized({ insufficient: true })
})

/** What only owners decide: a person needs that role; the account's own tokens act as its owner. */
export const accountOwner = accountAccess('owner', (caller, permission) => {
  requireOrganizer(caller, permission)
  if (caller.credential.role !== null && caller.credential.role !== 'owner') throw new Forbidden()
})

/** The door: devices, tokens, and members of every role but promoters. Its own attempts are its log. */
export const doorStaff = accountAccess('scanner', requireDoorStaff, DOOR)
export const doorStaffOfEvent = eventAccess('scanner', requireDoorStaff, DOOR)

/** Asks another access with the same credential, for another path. */
export type ObtainGrant = <Given extends object>(
  access: Access<Given>,
  params: Readonly<Record<string, string>>,
) => Promise<Given>

/**
 * An assistant comes in like the organizer it works for, and whatever it then asks for is judged by its own access. The
 * protocol wants pages of other sites turned away before anything else is looked at.
 */
export const assistantOfOrganizer = (): Access<AssistantGrant> => ({
  ...organizer('read'),
  name: 'organizer, by assistant',
  admit: async (app, request) => {
    if (isForeignOrigin(app, request)) throw new Forbidden('Pages of other sites are not served here')
    return {
      ...(await organizer('read').admit(app, request)),
      open: async (access, params) => access.admit(app, { ...request, params }),
    }
  },
})

/** Anyone, at a published shop's own address. */
export class ShopScope extends AccountScope {
  readonly address: ShopAddress

  constructor(app: App, address: ShopAddress) {
    super(app, address.account)
    this.address = address
  }
}

export const shopVisitor = (): Access<ShopGrant> => ({
  name: 'anyone, at a shop',
  site: 'shop',
  needsCredential: false,
  admit: (app, request) => {
    const letIn = (address: ShopAddress | null): ShopGrant => {
      if (!address) throw new NotFound()
      return { shop: new ShopScope(app, address) }
    }
    const address = shopOfHost(app, request.host)
    return address instanceof Promise ? address.then(letIn) : letIn(address)
  },
})

/** Anyone, without a way to anybody's rows. */
export const anyone = (): Access<AnyoneGrant> => ({
  name: 'anyone',
  site: 'console',
  needsCredential: false,
  admit: ({ settings: { baseUrl, shopDomain }, database, findWarnings, isStopping }) => ({
    addresses: { baseUrl, shopDomain },
    findWarnings,
    isStopping,
    pingDatabase: async () => {
      await database.lookups.query('select 1')
    },
  }),
})

/** A person at the console's own pages, signed in or not. Forms that other sites post are turned away. */
export const consoleVisitor = (): Access<VisitorGrant> => ({
  name: 'anyone, at the console',
  site: 'console',
  needsCredential: false,
  admit: async (app, request) => {
    if (isCrossSiteForgery(app, request)) throw new Forbidden()
    const session = await authenticateBySessionCookie(app, request, null)
    return { visitor: new VisitorScope(app), member: session && new CallerScope(app, session.caller) }
  },
})

/** Something of an account, opened by a secret that was sent out for it. */
export class SecretHolderScope extends AccountScope {
  readonly id: number

  constructor(app: App, opened: SecretTarget) {
    super(app, opened.account)
    this.id = opened.id
  }
}

/** Whoever brings the link of an invitation; what became of it meanwhile is for the page to say. */
export const invitationHolder = (): Access<InvitationGrant> => ({
  name: 'anyone with the link',
  site: 'console',
  needsCredential: false,
  admit: async (app, request) => {
    if (isCrossSiteForgery(app, request)) throw new Forbidden()
    const opened = await app.directory.findInvitation(digestOf(request.params['token']!))
    if (!opened) await spendUnknownSecret(app, 'invitations', request.ip)
    return { invitation: opened && new SecretHolderScope(app, opened) }
  },
})

/** A device that is not paired yet: the secret comes in the body, so it is looked up when that has been read. */
export const pairingSecretHolder = (): Access<PairingGrant> => ({
  name: 'anyone with a pairing secret',
  site: 'console',
  needsCredential: false,
  admit: async (app, request) => ({
    pairing: async (secret) => {
      const opened = await app.directory.findPairing(digestOf(secret))
      if (!opened) await spendUnknownSecret(app, 'pairing secrets', request.ip)
      return opened && new SecretHolderScope(app, opened)
    },
  }),
})

/** A payment provider at the address it was given; whether a message is really its own, the signature tells. */
export const paymentProvider = (): Access<PaymentMethodGrant> => ({
  name: 'a payment provider',
  site: 'console',
  needsCredential: false,
  admit: async (app, request) => {
    const key = request.params['key']!
    const opened = key.includes('\0') ? null : await app.directory.findPaymentWebhook(key)
    if (!opened) {
      await spendUnknownSecret(app, 'payment webhooks', request.ip)
      throw new NotFound()
    }
    return { paymentMethod: new SecretHolderScope(app, opened) }
  },
})

const UNKNOWN_SECRETS_PER_MINUTE = 30

/**
 * Counts a secret of 256 bits that opens nothing, against the address it came from. It is asked for only after the
 * look-up: nobody guesses such a secret, so whoever has one is let in whatever others tried from there.
 */
export const spendUnknownSecret = async (
  { budgets }: Pick<App, 'budgets'>,
  kind: 'invitations' | 'pairing secrets' | 'sign-in links' | 'payment webhooks' | 'wallet passes' | 'wallet devices',
  ip: string,
): Promise<void> => {
  await budgets.shared(`unknown ${kind} from an address`, UNKNOWN_SECRETS_PER_MINUTE).spend(ip)
}
