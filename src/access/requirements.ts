import { Unauthorized } from '../kernel/refusals.ts'
import type { Caller, Permission, Role } from './callers.ts'

export type Requirement = (caller: Caller, permission: Permission) => void

export const requireOrganizer: Requirement = ({ credential }, permission) => {
  if (credential.kind === 'scanner_device') throw new Unauthorized({ insufficient: true })
  requireRole(credential.role, ORGANIZERS)
  requirePermission(credential.permission, permission)
}

export const requireAccountWideOrganizer: Requirement = (caller, permission) => {
  requireOrganizer(caller, permission)
  if (caller.credential.role === 'co_organizer') throw new Unauthorized({ insufficient: true })
}

export const requireDoorStaff: Requirement = ({ credential }, permission) => {
  requireRole(credential.role, SCANNERS)
  requirePermission(credential.permission, permission)
}

const ORGANIZERS: ReadonlySet<Role> = new Set<Role>(['owner', 'manager', 'co_organizer'])
const SCANNERS: ReadonlySet<Role> = new Set<Role>(['owner', 'manager', 'co_organizer', 'scanner'])

const requireRole = (role: Role | null, roles: ReadonlySet<Role>) => {
  if (role && !roles.has(role)) throw new Unauthorized({ insufficient: true })
}

const requirePermission = (given: Permission, needed: Permission) => {
  if (needed === 'write' && given !== 'write') throw new Unauthorized({ insufficient: true })
}
