import type { Endpoint } from '../http/endpoint.ts'
import { manageDoor } from './manage-door.ts'
import { manageEvents } from './manage-events.ts'
import { manageGuestList } from './manage-guest-list.ts'
import { manageOrders } from './manage-orders.ts'
import { manageTasks } from './manage-tasks.ts'
import { manageTeam } from './manage-team.ts'
import { manageVouchers } from './manage-vouchers.ts'
import type { Tool } from './tool.ts'

/** What an assistant can do. */
export const toolsOf = (orderEndpoints: readonly Endpoint[]): readonly Tool[] => [
  manageEvents,
  manageGuestList,
  manageDoor,
  manageTasks,
  manageVouchers,
  manageOrders(orderEndpoints),
  manageTeam,
]
