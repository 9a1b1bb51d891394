import { organizerOfEvent } from '../../access/access.ts'
import { created, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'
import { analyzeImport } from './analyze-import.ts'
import { submitImport } from './apply-import.ts'
import { findImport, findImports, findImportRows } from './records.ts'
import { undoImport } from './undo-import.ts'
import {
  ApplyImportBody,
  GuestImportBody,
  GuestImportDetail,
  GuestImportOnWire,
  GuestImports,
  showImport,
  showRow,
} from './wire.ts'

/** The 5 MiB are counted in the file itself; in base64, or as JSON with every letter escaped, it may be longer. */
const BODY_LIMIT = 16 * 1024 * 1024

const imports = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_imports',
  operationId: 'listGuestImports',
  says: 'The guest imports of an event, newest first, without their rows.',
  access: organizerOfEvent('read'),
  answers: { 200: GuestImports },
  handle: async ({ event }) => ok({ guest_imports: (await findImports(event.rows, event.event.id)).map(showImport) }),
})

const importCreation = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_imports',
  operationId: 'createGuestImport',
  says: 'Reads a table of guests, as text (`csv`) or as a file in base64 (`file`), guesses what is not said, and tells every fault and what stock it takes; nobody is added yet.',
  access: organizerOfEvent('write'),
  body: GuestImportBody,
  example: {
    csv: 'Guest list\nName;Begleitung;E-Mail\nZoë Lindqvist;3;zoe@guest.example\nPetra Press;;petra@press.example\n',
    ticket_id: 6,
  },
  answers: { 201: GuestImportOnWire },
  creates: true,
  bodyLimit: BODY_LIMIT,
  handle: async ({ event, body }) => {
    const made = await analyzeImport(event, body)
    return created(showImport(made), `/admin/events/${event.event.slug}/guest_imports/${made.publicId}`)
  },
})

const importDetail = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_imports/:id',
  operationId: 'getGuestImport',
  says: 'One guest import with its rows as they were read, and the parties they have become.',
  access: organizerOfEvent('read'),
  exampleSetup: EXAMPLE_SETUPS.guestImport,
  answers: { 200: GuestImportDetail },
  handle: async ({ event, params }) => {
    const { one, rows } = await event.consistentRead(async (read) => {
      const one = requireFound(await findImport(read, event.event.id, params.id))
      return { one, rows: await findImportRows(read, one.id) }
    })
    return ok({ ...showImport(one), rows: rows.map(showRow) })
  },
})

const importApplication = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_imports/:guest_import_id/application',
  operationId: 'applyGuestImport',
  says: 'Adds the parties of an import without errors, all or none, after this answer; ask for the import until it is over. With `deliver` their tickets are mailed.',
  access: organizerOfEvent('write'),
  body: ApplyImportBody,
  example: { deliver: false },
  exampleSetup: EXAMPLE_SETUPS.guestImportPart,
  answers: { 202: GuestImportOnWire },
  exists: async ({ event, params }) =>
    requireFound(await findImport(event.rows, event.event.id, params.guest_import_id)),
  handle: async ({ event, params, body }) => {
    const submitted = await submitImport(event, params.guest_import_id, body.deliver)
    return { status: 202 as const, body: showImport(submitted) }
  },
})

const importUndoing = endpoint({
  method: 'DELETE',
  path: '/admin/events/:event_slug/guest_imports/:guest_import_id/application',
  operationId: 'undoGuestImport',
  says: 'Cancels all parties of an import that was applied within a day, as long as nobody has come in and none has been changed.',
  access: organizerOfEvent('write'),
  exampleSetup: EXAMPLE_SETUPS.guestImportUndoing,
  answers: { 200: GuestImportOnWire },
  handle: async ({ event, params }) => ok(showImport(await undoImport(event, params.guest_import_id))),
})

export const guestImportEndpoints = [imports, importCreation, importDetail, importApplication, importUndoing]
