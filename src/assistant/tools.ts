import { manageDoor } from './manage-door.ts'
import { manageEvents } from './manage-events.ts'
import { manageGuestList } from './manage-guest-list.ts'
import { manageTasks } from './manage-tasks.ts'
import { manageTeam } from './manage-team.ts'
import { manageVouchers } from './manage-vouchers.ts'
import type { Tool } from './tool.ts'

/** What an assistant can do. */
export const TOOLS: readonly Tool[] = [
  manageEvents,
  manageGuestList,
  manageDoor,
  manageTasks,
  manageVouchers,
  manageTeam,
]
