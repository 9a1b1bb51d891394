import { Forbidden, NotFound, Unauthorized } from '../kernel/refusals.ts'
import type { Settings } from '../kernel/settings.ts'
import type { App } from './app.ts'
import { type RequestFacts, authenticate, authenticateAtDoor, findSession, requireEvent } from './authenticate.ts'
import type { Caller, Permission } from './callers.ts'
import type { SecretSubject } from './directory.ts'
import { isCrossSiteForgery, isFromElsewhere } from './request-origin.ts'
import { type Requirement, requireOrganizer, requireVenue, requireScanner } from './requirements.ts'
import { AccountScope, CallerScope, EventScope, VisitorScope } from './scopes.ts'
import { type ShopAddress, shopOf } from './shop-address.ts'
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
  admit(app: App, knock: RequestFacts): Given | Promise<Given>
}

export type GivenAccount = { account: CallerScope }
export type GivenEvent = { event: EventScope }
export type GivenAssistant = { account: CallerScope; open: AccessCheck }
export type GivenShop = { shop: ShopScope }
/** Where the installation is found, and whether it is well: nothing of anybody's. */
export type GivenAnyone = { addresses: Pick<Settings, 'baseUrl' | 'shopDomain'>; pingDatabase: () => Promise<void> }
export type GivenVisitor = { visitor: VisitorScope; member: CallerScope | null }
export type GivenInvitation = { invitation: SecretHolderScope | null }
export type GivenPaymentMethod = { paymentMethod: SecretHolderScope }
export type GivenPairing = { pairing: (secret: string) => Promise<SecretHolderScope | null> }

const DOOR = { isAudited: false, identify: authenticateAtDoor }

const accountAccess = (
  name: string,
  requirement: Requirement,
  { isAudited, identify } = { isAudited: true, identify: authenticate },
) => {
  return (permission: Permission): Access<GivenAccount> => ({
    name: `${name}, ${permission}`,
    site: 'console',
    needsCredential: true,
    isAudited: isAudited && permission === 'write',
    permission,
    requires: (caller) => requirement(caller, permission),
    admit: async (app, knock) => {
      const { caller } = await identify(app, knock, null)
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
  return (permission: Permission): Access<GivenEvent> => ({
    name: `${name} of the event, ${permission}`,
    site: 'console',
    needsCredential: true,
    isAudited: isAudited && permission === 'write',
    permission,
    requires: (caller) => requirement(caller, permission),
    admit: async (app, knock) => {
      const introduction = await identify(app, knock, knock.params['event_slug']!)
      requirement(introduction.caller, permission)
      return { event: new EventScope(app, introduction.caller, requireEvent(introduction)) }
    },
  })
}

/** Owners, managers and account tokens everywhere; co-organizers within their assigned events. */
export const organizer = accountAccess('organizer', requireOrganizer)
export const organizerOfEvent = eventAccess('organizer', requireOrganizer)

/** Account-wide business such as vouchers: a co-organizer's credential is not enough. */
export const management = accountAccess('venue', requireVenue)

/**
 * The venue's money: the same, but of people only owners, whichever credential of theirs they show. The account's own
 * tokens act as its owner.
 */
export const moneyManagement = accountAccess('treasury', (caller, permission) => {
  requireVenue(caller, permission)
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

export const setup = accountAccess('setup', requireSetup)

/** The same for the event of the path; that it is one the caller may see is told first. */
export const setupOfEvent = (permission: Permission): Access<GivenEvent> => {
  const visible = organizerOfEvent(permission)
  return {
    ...visible,
    name: `setup of the event, ${permission}`,
    requires: (caller) => requireSetup(caller, permission),
    admit: async (app, knock) => {
      const given = await visible.admit(app, knock)
      requireSetup(given.event.caller, permission)
      return given
    },
  }
}

/** What only owners decide: a person needs that role; the account's own tokens act as its owner. */
export const accountOwner = accountAccess('owner', (caller, permission) => {
  requireOrganizer(caller, permission)
  if (caller.credential.role !== null && caller.credential.role !== 'owner') throw new Forbidden()
})

/** The door: devices, tokens, and members of every role but promoters. Its own attempts are its log. */
export const doorStaff = accountAccess('scanner', requireScanner, DOOR)
export const doorStaffOfEvent = eventAccess('scanner', requireScanner, DOOR)

/** Asks another access with the same credential, for another path. */
export type AccessCheck = <Given extends object>(
  access: Access<Given>,
  params: Readonly<Record<string, string>>,
) => Promise<Given>

/**
 * An assistant comes in like the organizer it works for, and whatever it then asks for is judged by its own access. The
 * protocol wants pages of other sites turned away before anything else is looked at.
 */
export const assistantOfOrganizer = (): Access<GivenAssistant> => ({
  ...organizer('read'),
  name: 'organizer, by assistant',
  admit: async (app, knock) => {
    if (isFromElsewhere(app, knock)) throw new Forbidden('Pages of other sites are not served here')
    return {
      ...(await organizer('read').admit(app, knock)),
      open: async (access, params) => access.admit(app, { ...knock, params }),
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

export const shopVisitor = (): Access<GivenShop> => ({
  name: 'anyone, at a shop',
  site: 'shop',
  needsCredential: false,
  admit: (app, knock) => {
    const letIn = (address: ShopAddress | null): GivenShop => {
      if (!address) throw new NotFound()
      return { shop: new ShopScope(app, address) }
    }
    const address = shopOf(app, knock.host)
    return address instanceof Promise ? address.then(letIn) : letIn(address)
  },
})

/** Anyone, without a way to anybody's rows. */
export const anyone = (): Access<GivenAnyone> => ({
  name: 'anyone',
  site: 'console',
  needsCredential: false,
  admit: ({ settings: { baseUrl, shopDomain }, database }) => ({
    addresses: { baseUrl, shopDomain },
    pingDatabase: async () => {
      await database.lookups.query('select 1')
    },
  }),
})

/** A person at the console's own pages, signed in or not. Forms that other sites post are turned away. */
export const consoleVisitor = (): Access<GivenVisitor> => ({
  name: 'anyone, at the console',
  site: 'console',
  needsCredential: false,
  admit: async (app, knock) => {
    if (isCrossSiteForgery(app, knock)) throw new Forbidden()
    const session = await findSession(app, knock, null)
    return { visitor: new VisitorScope(app), member: session && new CallerScope(app, session.caller) }
  },
})

/** Something of an account, opened by a secret that was sent out for it. */
export class SecretHolderScope extends AccountScope {
  readonly id: number

  constructor(app: App, opened: SecretSubject) {
    super(app, opened.account)
    this.id = opened.id
  }
}

/** Whoever brings the link of an invitation; what became of it meanwhile is for the page to say. */
export const invitationHolder = (): Access<GivenInvitation> => ({
  name: 'anyone with the link',
  site: 'console',
  needsCredential: false,
  admit: async (app, knock) => {
    if (isCrossSiteForgery(app, knock)) throw new Forbidden()
    const opened = await app.directory.findInvitation(digestOf(knock.params['token']!))
    if (!opened) await spendUnknownSecret(app, 'invitations', knock.ip)
    return { invitation: opened && new SecretHolderScope(app, opened) }
  },
})

/** A device that is not paired yet: the secret comes in the body, so it is looked up when that has been read. */
export const pairingSecretHolder = (): Access<GivenPairing> => ({
  name: 'anyone with a pairing secret',
  site: 'console',
  needsCredential: false,
  admit: async (app, knock) => ({
    pairing: async (secret) => {
      const opened = await app.directory.findPairing(digestOf(secret))
      if (!opened) await spendUnknownSecret(app, 'pairing secrets', knock.ip)
      return opened && new SecretHolderScope(app, opened)
    },
  }),
})

/** A payment provider at the address it was given; whether a message is really its own, the signature tells. */
export const paymentProvider = (): Access<GivenPaymentMethod> => ({
  name: 'a payment provider',
  site: 'console',
  needsCredential: false,
  admit: async (app, knock) => {
    const key = knock.params['key']!
    const opened = key.includes('\0') ? null : await app.directory.findPaymentWebhook(key)
    if (!opened) {
      await spendUnknownSecret(app, 'payment webhooks', knock.ip)
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
  kind: 'invitations' | 'pairing secrets' | 'sign-in links' | 'payment webhooks',
  ip: string,
): Promise<void> => {
  await budgets.shared(`unknown ${kind} from an address`, UNKNOWN_SECRETS_PER_MINUTE).spend(ip)
}
