import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createDatabase } from './kit/database/database.ts'
import { withClient } from './kit/database/template.ts'
import { migrate } from '../src/database/migrate.ts'
import { opaqueIdOf } from '../src/webhooks/opaque-id.ts'

const MIGRATIONS = path.join(import.meta.dirname, '../migrations')
const LANES = '0020-lanes.sql'

/** The migrations that were there before lanes. */
const earlierMigrations = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-migrations-'))
  for (const file of await readdir(MIGRATIONS)) {
    if (file < LANES) await copyFile(path.join(MIGRATIONS, file), path.join(folder, file))
  }
  return folder
}

test('what waits when Foyer is upgraded moves to its lane, and messages that are kept lose the keys in them', async () => {
  const { connection, drop } = await createDatabase()
  const folder = await earlierMigrations()
  await migrate(connection, { folder })
  await withClient(connection, async (client) => {
    await client.query(`
      insert into accounts (id, name, subdomain) overriding system value values (7, 'Neue Halle', 'neue-halle');
      with olga as (insert into people (name, email) values ('Olga', 'olga@neue-halle.example') returning id)
      insert into memberships (account_id, person_id, role) select 7, id, 'owner' from olga;
      insert into webhook_endpoints (account_id, id, public_id, url, secret_sealed) overriding system value
        values (7, 3, 'endpoint', 'https://books.example', '');
      insert into webhook_messages (account_id, id, public_id, kind, payload, personal_payload) overriding system value values
        (7, 1, 'm1', 'guest_party.created', '{"guest_party": {"admissions": [{"public_id": "A"}, {"public_id": "B"}]}}', null),
        (7, 2, 'm2', 'admission.seat_moved', '{"admission": {"public_id": "A", "place_label": "x"}}', '{"admission": {"public_id": "A"}}'),
        (7, 4, 'm4', 'voucher.issued', '{"voucher": {"id": "v"}}', null);
      insert into webhook_deliveries (account_id, id, public_id, endpoint_id, message_id) overriding system value
        values (7, 5, 'd', 3, 1);
      select graphile_worker.add_job('tickets-by-mail.send', '{"account_id": 7, "order_id": 1, "reason": "issued"}');
      select graphile_worker.add_job('sign-in.mail-link', '{"linkId": 1}');
      select graphile_worker.add_job('webhooks.deliver', '{"accountId": 7, "deliveryId": 5}');
      select graphile_worker.add_job('webhooks.deliver', '{"accountId": 7, "deliveryId": 99}');
      select graphile_worker.add_job('vouchers.expire', '{}');`)
    await migrate(connection)

    const { rows: moved } = await client.query(
      'select account_id::int, lane, name, payload, serial_key, state from lane_jobs order by name',
    )
    expect(moved).toEqual([
      {
        account_id: 0,
        lane: 'mail',
        name: 'sign-in.mail-link',
        payload: { linkId: 1 },
        serial_key: '',
        state: 'later',
      },
      expect.objectContaining({ account_id: 7, lane: 'mail', name: 'tickets-by-mail.send' }),
      expect.objectContaining({
        lane: 'webhooks',
        payload: { accountId: 7, endpointId: 3, deliveryId: 5 },
        serial_key: '3',
      }),
    ])
    const { rows: left } = await client.query('select task_identifier as name from graphile_worker.jobs')
    expect(left).toEqual([{ name: 'vouchers.expire' }])

    const { rows: kept } = await client.query('select payload, personal_payload from webhook_messages order by id')
    expect(kept).toEqual([
      {
        payload: { guest_party: { admissions: [{ id: opaqueIdOf('A') }, { id: opaqueIdOf('B') }] } },
        personal_payload: null,
      },
      {
        payload: { admission: { id: opaqueIdOf('A'), place_label: 'x' } },
        personal_payload: { admission: { id: opaqueIdOf('A') } },
      },
      { payload: { voucher: { id: 'v' } }, personal_payload: null },
    ])
  })
  await drop()
  await rm(folder, { recursive: true })
})
