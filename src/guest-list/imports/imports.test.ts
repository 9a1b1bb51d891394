import { expect, test } from 'vitest'
import { BALL, IMPORTS, openImportOffice } from '../../../test/kit/venue/guest-imports.ts'
import { mailsTo } from '../../../test/kit/venue/outbox.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'
import { openAccountForJob } from '../../access/job-scope.ts'
import { ImportFault, applyImport } from './apply-import.ts'

test('a list from a spreadsheet is read first, told in full, then added at once, and taken back as one', async () => {
  const venue = await openImportOffice()
  const csv = [
    'Gästeliste Winterball;;;',
    '',
    'Vorname;Nachname;Begleitung;E-Mail;Ticket;Notiz',
    'Zoë;Lindqvist;3;Zoe@Guest.example;Crew;"Side; entrance"',
    'Petra;Press;ja;petra@press.example;;',
    'محمد;علي;;;;',
  ].join('\r\n')
  const made = await venue.analyze({ csv })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    status: 'analyzed',
    rows_count: 3,
    valid_rows_count: 3,
    guests_count: 7,
    validation_errors: [],
    warnings: [],
    encoding: null,
    delimiter: 'semicolon',
    header_line: 3,
    undoable_until: null,
    stock: [
      { ticket_title: 'Crew', quantity: 4, available_stock: 20 },
      { ticket_title: 'General admission', quantity: 3, available_stock: 200 },
    ],
  })
  expect(made.body.columns.map(({ field }: { field: string }) => field)).toEqual([
    'first_name',
    'last_name',
    'companions',
    'delivery_email',
    'ticket',
    'staff_note',
  ])
  expect(await venue.names()).toEqual([])

  const applied = await venue.apply(made.body.id)
  expect(applied).toMatchObject({ status: 'applied', imported_rows_count: 3, applied_at: expect.any(String) })
  expect(applied.rows[0]).toMatchObject({
    line: 4,
    customer_name: 'Zoë Lindqvist',
    ticket_title: 'Crew',
    delivery_email: 'Zoe@Guest.example',
    staff_note: 'Side; entrance',
    guest_party_id: expect.any(String),
  })
  expect(await venue.names()).toEqual([
    ['Petra Press', 2],
    ['Zoë Lindqvist', 4],
    ['محمد علي', 1],
  ])
  const party = (await venue.office.get(`${BALL}/guest_parties/${applied.rows[0].guest_party_id}`)).body
  expect(party).toMatchObject({ delivery_email: 'zoe@guest.example', creator_name: 'Olga Owner', ticket_title: 'Crew' })
  expect([await venue.free('Crew'), await venue.free('General admission')]).toEqual([16, 197])
  await venue.expectSound()
  expect(await mailsTo(venue, 'zoe@guest.example')).toEqual([])

  const undone = await venue.undo(made.body.id)
  expect(undone.body).toMatchObject({ status: 'undone', imported_rows_count: 0, undone_at: expect.any(String) })
  expect(await venue.names()).toEqual([])
  expect([await venue.free('Crew'), await venue.free('General admission')]).toEqual([20, 200])
  await venue.expectSound()
  expect(await venue.undo(made.body.id)).toRefuse(422)
  expect(await venue.office.post(`${IMPORTS}/${made.body.id}/application`)).toRefuse(422, {
    base: ['This import has been undone; upload the file again'],
  })

  const actions = (await venue.office.get('/admin/audit_log')).body.entries.map(
    ({ action }: { action: string }) => action,
  )
  expect(actions.slice(0, 3)).toEqual([
    'DELETE /admin/events/:event_slug/guest_imports/:guest_import_id/application',
    'POST /admin/events/:event_slug/guest_imports/:guest_import_id/application',
    'POST /admin/events/:event_slug/guest_imports',
  ])
})

test('names that were pasted need no table: a number brings companions, and words behind it a ticket or a note', async () => {
  const venue = await openImportOffice()
  const made = await venue.analyze({ csv: 'Zoë Lindqvist +3 crew\nAnna Smith, MBE\nUwe +1 front\nBo +2 press\n' })
  expect(made.body).toMatchObject({ delimiter: 'none', header_line: null, validation_errors: [], guests_count: 10 })
  const { rows } = await venue.detail(made.body.id)
  expect(rows).toMatchObject([
    { customer_name: 'Zoë Lindqvist', party_size: 4, ticket_title: 'Crew', staff_note: null },
    { customer_name: 'Anna Smith, MBE', party_size: 1, ticket_title: 'General admission' },
    { customer_name: 'Uwe', party_size: 2, ticket_title: 'Standing', standing_area_name: 'Front' },
    { customer_name: 'Bo', party_size: 3, ticket_title: 'General admission', staff_note: 'press' },
  ])
})

test('who is on the list already, or stands in the file twice, is pointed out', async () => {
  const venue = await openImportOffice()
  await venue.office.post(`${BALL}/guest_parties`, {
    guest_party: { customer_name: 'Zoë Lindqvist', ticket_id: venue.tickets['ga'] },
  })
  const made = await venue.analyze({ csv: 'Name\nZOE LINDQVIST\nAda\nada\n' })
  expect(made.body.warnings).toEqual([
    { line: 2, field: 'customer_name', message: 'is on the guest list already' },
    { line: 4, field: 'customer_name', message: 'is the same as on line 3' },
  ])
  expect(made.body.validation_errors).toEqual([])
})

test('tickets are mailed when that is asked for, to those who have an address', async () => {
  const venue = await openImportOffice()
  const made = await venue.analyze({ csv: 'Name,Mail\nAda,ada.import@guest.example\nBo,\n' })
  await venue.apply(made.body.id, { deliver: true })
  expect(await mailsTo(venue, 'ada.import@guest.example')).toHaveLength(1)
})

test('an import is undone only while nothing has become of its parties, and for a day', async () => {
  const venue = await openImportOffice()
  const importOf = async (...names: string[]) => {
    const { body } = await venue.analyze({ csv: `Name,Size\n${names.map((name) => `${name},2`).join('\n')}` })
    const { rows } = await venue.apply(body.id)
    return { id: body.id, parties: rows.map(({ guest_party_id }: { guest_party_id: string }) => guest_party_id) }
  }
  const party = async (id: string) => (await venue.office.get(`${BALL}/guest_parties/${id}`)).body
  const one = await importOf('Ada', 'Bo', 'Cem', 'Dora')
  await venue.office.patch(`${BALL}/guest_parties/${one.parties[0]}`, { guest_party: { staff_note: 'VIP' } })
  await venue.office.post(`${BALL}/guest_parties/${one.parties[1]}/cancellation`)
  await venue.door.post(`/scanner/tickets/${(await party(one.parties[2])).admissions[0].public_id}/redemption`)
  expect(await venue.undo(one.id)).toRefuse(422, {
    base: ['This import can no longer be undone: one party came in; one party cancelled; one party changed'],
  })
  expect(await venue.names()).toHaveLength(3)

  const two = await importOf('Eva')
  expect((await venue.detail(two.id)).undoable_until).not.toBeNull()
  await venue.moveClock('25 hours')
  expect((await venue.detail(two.id)).undoable_until).toBeNull()
  expect(await venue.undo(two.id)).toRefuse(422, {
    base: ['An import can be undone for a day; cancel its parties instead'],
  })
  await venue.moveClock('-25 hours')
})

test('of two imports for the last stock one is added whole and the other not at all', async () => {
  const venue = await openImportOffice()
  const scope = (await openAccountForJob(venue.app, venue.report.account.id))!
  const made = await Promise.all(
    ['Ada', 'Bo'].map((name) =>
      venue.analyze({
        csv: Array.from({ length: 11 }, (_, n) => `${name} ${n}`).join('\n'),
        ticket_id: venue.tickets['crew'],
      }),
    ),
  )
  for (const { body } of made) await venue.office.post(`${IMPORTS}/${body.id}/application`)
  const { rows } = await venue.app.database.pool.query('select id from guest_imports where account_id = $1', [
    venue.report.account.id,
  ])
  const outcomes = await Promise.all(
    rows.map(({ id }) =>
      applyImport(scope, id, 1).then(
        () => 'applied',
        (error) => (error instanceof ImportFault ? 'refused' : error),
      ),
    ),
  )
  expect(outcomes.toSorted()).toEqual(['applied', 'refused'])
  await venue.workOffJobs()
  const statuses = await Promise.all(made.map(async ({ body }) => (await venue.detail(body.id)).status))
  expect(statuses.toSorted()).toEqual(['applied', 'failed'])
  expect(await venue.free('Crew')).toBe(9)
  expect(await venue.names()).toHaveLength(11)
  await venue.expectSound()
})

test('webhooks are told of every party that an import adds or takes back', async () => {
  const venue = await openImportOffice()
  await venue.office.post('/admin/webhook_endpoints', {
    webhook_endpoint: { url: 'https://hooks.example/foyer', kinds: ['guest_party.created', 'guest_party.cancelled'] },
  })
  const made = await venue.analyze({ csv: 'Ada\nBo\n' })
  await venue.apply(made.body.id)
  await venue.undo(made.body.id)
  const { rows } = await venue.app.database.pool.query(
    'select kind from webhook_messages where account_id = $1 order by id',
    [venue.report.account.id],
  )
  expect(rows.map(({ kind }) => kind)).toEqual([
    ...Array(2).fill('guest_party.created'),
    ...Array(2).fill('guest_party.cancelled'),
  ])
})

test('an import belongs to its event, and to those who may work on it', async () => {
  const venue = await openImportOffice()
  const { body } = await venue.analyze({ csv: 'Ada\n' })
  expect(await venue.office.get(`/admin/events/spring-night/guest_imports/${body.id}`)).toRefuse(404)
  expect(await venue.office.delete(`/admin/events/spring-night/guest_imports/${body.id}/application`)).toRefuse(404)
  expect(await venue.partner.get('/admin/events/spring-night/guest_imports')).toRefuse(404)
  expect((await venue.partner.get(IMPORTS)).status).toBe(200)
  expect(await venue.door.get(IMPORTS)).toRefuse(401)
  expect(await (await openVenue()).office.get(`${IMPORTS}/${body.id}`)).toRefuse(404)
})

test('files that led nowhere are forgotten after a day', async () => {
  const venue = await openImportOffice()
  await venue.analyze({ csv: 'Ada\n' })
  await venue.moveClock('25 hours')
  await venue.workOffJobs()
  expect((await venue.office.get(IMPORTS)).body.guest_imports).toEqual([])
  await venue.moveClock('-25 hours')
})

test('five thousand rows are judged and added within seconds', async () => {
  const venue = await openImportOffice(
    await openVenue((file) => {
      const ball = file['events'][0]
      ball.capacity = 20_000
      ball.tickets[0].stock = 20_000
    }),
  )
  const rows = Array.from({ length: 5000 }, (_, n) => `Guest ${n};2;guest${n}@many.example;Note ${n}`)
  const began = performance.now()
  const { body } = await venue.analyze({ csv: ['Name;Size;Mail;Note', ...rows].join('\n') })
  expect(body).toMatchObject({ valid_rows_count: 5000, guests_count: 10_000 })
  expect(await venue.apply(body.id)).toMatchObject({ status: 'applied', imported_rows_count: 5000 })
  expect(performance.now() - began).toBeLessThan(20_000)
  expect((await venue.undo(body.id)).body).toMatchObject({ status: 'undone' })
  expect((await venue.names()).length).toBe(0)
  await venue.expectSound()
})
