import { expect, test } from 'vitest'
import { BALL, IMPORTS, base64, openImportOffice } from '../../../test/kit/venue/guest-imports.ts'

test('every fault of every row is told with its line, and nothing of such a file can be applied', async () => {
  const venue = await openImportOffice()
  const csv = [
    'Name\tCompanions\tE-mail\tTicket\tArea\tSeats',
    'Ada\tmany\tada@\tNone such\t\t',
    '\t\t\t\t\t',
    '\t1\t\t\t\t',
    `${'x'.repeat(256)}\t20\t\t\t\t`,
    'Bo\t\t\tStanding\t\t',
    'Cem\t\t\tStanding\tMiddle\t',
    'Dora\t\t\tBalcony seat\t\tRow A Seat 3',
    'Eva\t\t\tBalcony seat\t\tA-1; A-2',
    'Finn\t\t\tBalcony seat\t\tA-1',
    'Gita\t\t\tBalcony seat\t\tW-1',
    'Hugo\t\t\tTable of four\t\t',
  ].join('\n')
  const made = await venue.analyze({ csv })
  expect(made.body).toMatchObject({ status: 'analyzed', delimiter: 'tab', rows_count: 10, valid_rows_count: 1 })
  const told = made.body.validation_errors.map(
    ({ line, field, message }: { line: number; field: string; message: string }) => `${line} ${field} ${message}`,
  )
  expect(told).toEqual([
    '2 companions is not a number',
    '2 ticket is not included in the list',
    '2 delivery_email is invalid',
    "4 customer_name can't be blank",
    '5 customer_name is too long (maximum is 255 characters)',
    '5 party_size must be less than or equal to 20',
    "6 standing_area can't be blank",
    '7 standing_area is not included in the list',
    '8 places names a place that is not free',
    '10 places has already been taken on line 9',
    '11 places A wheelchair place and its companion place are only available together',
    '12 ticket is not included in the list',
  ])
  expect(await venue.office.post(`${IMPORTS}/${made.body.id}/application`)).toRefuse(422, {
    base: ['This import has errors; correct the file and upload it again'],
  })
})

test('stock that does not suffice is told at the rows that it does not suffice for', async () => {
  const venue = await openImportOffice()
  const rows = Array.from({ length: 12 }, (_, n) => `Guest ${n},2`)
  const made = await venue.analyze({ csv: ['name,size', ...rows].join('\n'), ticket_id: venue.tickets['crew'] })
  expect(made.body.stock).toMatchObject([{ ticket_title: 'Crew', quantity: 24, available_stock: 20 }])
  expect(made.body.validation_errors).toEqual([
    { line: 12, field: 'ticket', message: 'Not enough places available' },
    { line: 13, field: 'ticket', message: 'Not enough places available' },
  ])
  const floor = await venue.analyze({
    csv: Array.from({ length: 4 }, (_, n) => `Guest ${n} +14`).join('\n'),
    ticket_id: venue.tickets['floor'],
    event_capacity_pool_id: venue.areas['front'],
  })
  expect(floor.body.validation_errors).toEqual([
    { line: 4, field: 'standing_area', message: 'Not enough places available' },
  ])
})

const ENCODED: [string, string, (text: string) => Uint8Array][] = [
  ['utf-8', 'Zoë Łukasz 文', (text) => Buffer.from(text)],
  ['utf-8', 'Zoë', (text) => Buffer.from(`\uFEFF${text}`)],
  ['utf-16le', 'Zoë 文', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['utf-16le', 'Zoe', (text) => Buffer.from(text, 'utf16le')],
  ['utf-16be', 'Zoë', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['windows-1252', 'Zoë Müller', (text) => Buffer.from(text, 'latin1')],
  ['macintosh', 'Zoë', (text) => Buffer.from(text.replaceAll('\n', '\r').replaceAll('ë', '\u0091'), 'latin1')],
]

test.each(ENCODED)('a file in %s is read as it was meant (%s)', async (encoding, name, encode) => {
  const venue = await openImportOffice()
  const made = await venue.analyze({ file: base64(encode(`Name,Size\n${name},2\n`)) })
  expect(made.body).toMatchObject({ encoding, validation_errors: [] })
  expect((await venue.detail(made.body.id)).rows).toMatchObject([{ customer_name: name, party_size: 2 }])
})

test('an encoding that nothing tells can be said', async () => {
  const venue = await openImportOffice()
  const file = base64(Buffer.from('Name\n\xc8\xe2\xe0\xed\n', 'latin1'))
  const guessed = await venue.analyze({ file })
  expect((await venue.detail(guessed.body.id)).rows[0].customer_name).toBe('Èâàí')
  const said = await venue.analyze({ file, encoding: 'cp1251' })
  expect(said.body.encoding).toBe('windows-1251')
  expect((await venue.detail(said.body.id)).rows[0].customer_name).toBe('Иван')
  const shift = await venue.analyze({
    file: base64(Buffer.from('Name\n\x93\x8c\x8b\x9e\n', 'latin1')),
    encoding: 'shift_jis',
  })
  expect((await venue.detail(shift.body.id)).rows[0].customer_name).toBe('東京')
  expect(await venue.analyze({ file, encoding: 'klingon' })).toRefuse(422, {
    encoding: ['is not included in the list'],
  })
  expect(await venue.analyze({ file, encoding: 'utf-8' })).toRefuse(422, { file: ['cannot be read in this encoding'] })
})

test('what is no table of guests is refused as a whole, and leaves nothing', async () => {
  const venue = await openImportOffice()
  const refused = async (body: object, errors: Record<string, string[]>) =>
    expect(await venue.analyze(body)).toRefuse(422, errors)
  const NO_TEXT = 'is not a text file; save the table as CSV'
  await refused({}, { csv: ["can't be blank"] })
  await refused({ csv: ' \n\n' }, { csv: ["can't be blank"] })
  await refused({ csv: 'Name\n' }, { csv: ['has no rows'] })
  await refused({ csv: 'Name\nA\0B' }, { csv: ['is invalid'] })
  await refused({ csv: 'Name\n\uD800' }, { csv: ['is invalid'] })
  await refused({ csv: 'Name,Size\n"Ada,1\n' }, { csv: ['has a quote that is not closed on line 2'] })
  await refused({ csv: `Name\n${'A,'.repeat(60)}`, delimiter: 'comma' }, { csv: ['has too many columns on line 2'] })
  await refused({ csv: `Name\n${'Ada\n'.repeat(5001)}` }, { csv: ['has too many rows (maximum is 5000 rows)'] })
  await refused({ csv: `Name\n${'x'.repeat(5 * 1024 * 1024)}` }, { csv: ['is too large (maximum is 5 MiB)'] })
  await refused({ file: base64(Buffer.alloc(10_000_000, 'Ada\n')) }, { file: ['is too large (maximum is 5 MiB)'] })
  await refused({ file: base64(Buffer.from('504b030414000600', 'hex')) }, { file: [NO_TEXT] })
  await refused({ file: base64(Buffer.from([1, 2, 3, 250, 0, 7, 9, 0])) }, { file: [NO_TEXT] })
  await refused({ file: 'Name;Ä' }, { file: ['is not written in base64'] })
  await refused({ csv: 'Name\nAda', columns: ['nothing'] }, { columns: ['is not included in the list'] })
  await refused({ csv: 'a,b\nc,d', columns: ['ticket', 'ticket'] }, { columns: ['has the same entry twice'] })
  await refused({ csv: 'Name\nAda', header_line: 7 }, { header_line: ['is not included in the list'] })
  await refused(
    { csv: 'Name\nAda', ticket_id: venue.report.events['spring-night']!.tickets['ga'] },
    { ticket_id: ['is not included in the list'] },
  )
  await refused(
    { csv: 'Name\nAda', event_capacity_pool_id: venue.areas['front'] },
    { event_capacity_pool_id: ['is not included in the list'] },
  )
  expect((await venue.analyze({ csv: 'x'.repeat(17_000_000) })).status).toBe(413)
  expect((await venue.office.get(IMPORTS)).body).toEqual({ guest_imports: [] })
  const rows = Array.from({ length: 5000 }, (_, n) => `Guest ${n}`)
  expect((await venue.analyze({ csv: `Name\n${rows.join('\n')}` })).body).toMatchObject({ rows_count: 5000 })
})

test('columns that nobody could guess are named once, and the next file of the house is read the same way', async () => {
  const venue = await openImportOffice()
  const numbers = await venue.analyze({ csv: '1;2\n3;4\n' })
  expect(numbers.body.validation_errors).toEqual([{ line: 1, field: 'customer_name', message: 'has no column' }])
  expect(numbers.body).toMatchObject({ valid_rows_count: 0, rows_count: 2 })

  const csv = 'Wer?;Mit?;Diet\nAda;2;vegan\n'
  const guessed = await venue.analyze({ csv })
  expect(guessed.body).toMatchObject({ header_line: 1, guests_count: 2, validation_errors: [] })
  const diet = `question_${venue.report.events['winter-ball']!.questions['diet']}`
  const said = await venue.analyze({ csv, header_line: 1, columns: ['customer_name', 'companions', diet] })
  expect(said.body).toMatchObject({ validation_errors: [], rows_count: 1, guests_count: 3 })
  const again = await venue.analyze({ csv: 'Diet;Mit?;Wer?\nvegan;1;Bo\n' })
  expect(again.body).toMatchObject({ validation_errors: [], header_line: 1 })
  const applied = await venue.apply(again.body.id)
  const party = (await venue.office.get(`${BALL}/guest_parties/${applied.rows[0].guest_party_id}`)).body
  expect(
    party.admissions.map((each: { custom_field_answers: object }) => Object.values(each.custom_field_answers)),
  ).toEqual([['vegan'], ['vegan']])
  const elsewhere = await openImportOffice()
  expect((await elsewhere.analyze({ csv: 'Diet;Mit?;Wer?\nvegan;1;Bo\n' })).body.guests_count).toBe(1)
})
