import type { EventScope } from '../../access/scopes.ts'
import { countArrivalsByMinute, countTickets, findConflicts, findDevices, findNow } from './records.ts'
import type { NightFacts } from './wire.ts'

/** How the evening of an event goes, all of one moment. */
export const readNight = (scope: EventScope): Promise<NightFacts> =>
  scope.replicaRead(async (rows) => ({
    now: await findNow(rows),
    tickets: await countTickets(rows, scope.event.id),
    devices: await findDevices(rows, scope.event.id),
    arrivals: await countArrivalsByMinute(rows, scope.event.id),
    conflicts: await findConflicts(rows, scope.event.id),
  }))
