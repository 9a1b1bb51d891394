-- Which topics of an account have changed, so that whoever looks at them can be told within a second. Every connection
-- has a row of its own: writers never wait for each other, whatever they write in whichever order, and nobody who reads
-- misses a transaction that began early and ended late. Nothing is lost with these rows but a reason to look again.
create unlogged table account_changes (
  account_id bigint not null,
  topic text not null,
  -- What of the topic: an event or a member, where not everybody may see all of it; else 0.
  part bigint not null,
  backend integer not null,
  -- The transaction that changed it last.
  change bigint not null,
  changed_at timestamptz not null default foyer_now(),
  constraint a_connection_counts_by_topic primary key (account_id, topic, part, backend),
  constraint a_topic_is_known check (topic in ('orders', 'vouchers', 'team', 'devices', 'tokens', 'webhooks', 'audit_log',
    'payment_methods', 'account', 'inbox', 'events', 'signup'))
) with (fillfactor = 50);
create index account_changes_by_age on account_changes (changed_at);

-- Once for each transaction, however many rows it changes.
create function record_account_change(the_account bigint, the_topic text, the_part bigint) returns void
  language plpgsql as $$
declare
  this_change bigint := pg_current_xact_id()::text::bigint;
begin
  if exists (
    select from account_changes c
    where c.account_id = the_account and c.topic = the_topic and c.part = the_part and c.backend = pg_backend_pid()
      and c.change = this_change
  ) then
    return;
  end if;
  insert into account_changes as c (account_id, topic, part, backend, change)
  values (the_account, the_topic, the_part, pg_backend_pid(), this_change)
  on conflict (account_id, topic, part, backend) do update set change = excluded.change, changed_at = excluded.changed_at;
end
$$;

create function note_changes() returns trigger language plpgsql as $$
begin
  perform record_account_change(account_id, tg_argv[0], 0) from (select distinct account_id from changed) accounts;
  return null;
end
$$;

create function note_changes_by_event() returns trigger language plpgsql as $$
begin
  perform record_account_change(account_id, tg_argv[0], event_id)
  from (select distinct account_id, event_id from changed) events;
  return null;
end
$$;

-- By the statement, so that a thousand rows are noted as quickly as one.
do $$
declare
  watched record;
begin
  for watched in
    select * from (values
      ('vouchers', 'vouchers', 'note_changes'),
      ('voucher_products', 'vouchers', 'note_changes'),
      ('voucher_imports', 'vouchers', 'note_changes'),
      ('voucher_purchases', 'vouchers', 'note_changes'),
      ('voucher_deliveries', 'vouchers', 'note_changes'),
      ('memberships', 'team', 'note_changes'),
      ('assignments', 'team', 'note_changes'),
      ('invitations', 'team', 'note_changes'),
      ('device_pairings', 'devices', 'note_changes'),
      ('payment_methods', 'payment_methods', 'note_changes'),
      ('shop_hosts', 'account', 'note_changes'),
      ('venues', 'account', 'note_changes'),
      ('performers', 'events', 'note_changes_by_event'),
      ('faq_items', 'events', 'note_changes_by_event'),
      ('questions', 'events', 'note_changes_by_event'),
      ('signup_links', 'signup', 'note_changes_by_event'),
      ('signup_requests', 'signup', 'note_changes_by_event'),
      ('signup_additions', 'signup', 'note_changes_by_event')
    ) as given (name, topic, note)
  loop
    execute format('create trigger note_arrivals after insert on %I
      referencing new table as changed for each statement execute function %I(%L)', watched.name, watched.note, watched.topic);
    execute format('create trigger note_edits after update on %I
      referencing new table as changed for each statement execute function %I(%L)', watched.name, watched.note, watched.topic);
    execute format('create trigger note_departures after delete on %I
      referencing old table as changed for each statement execute function %I(%L)', watched.name, watched.note, watched.topic);
  end loop;
end
$$;
create trigger note_arrivals after insert on audit_entries
  referencing new table as changed for each statement execute function note_changes('audit_log');

-- Of what is written again and again, only what somebody would see.
create function note_change() returns trigger language plpgsql as $$
begin
  perform record_account_change(coalesce(new.account_id, old.account_id), tg_argv[0], 0);
  return null;
end
$$;
create trigger note_heartbeat after insert on device_heartbeats for each row execute function note_change('devices');
create trigger note_edit after update on device_heartbeats for each row
  when ((old.queue, old.snapshot_at, old.app_version) is distinct from (new.queue, new.snapshot_at, new.app_version))
  execute function note_change('devices');

create function note_change_of_account() returns trigger language plpgsql as $$
begin
  perform record_account_change(new.id, 'account', 0);
  return null;
end
$$;
create trigger note_edit after update on accounts for each row
  when ((old.name, old.subdomain, old.currency, old.time_zone, old.shop_published_at, old.language, old.reply_to_email)
    is distinct from (new.name, new.subdomain, new.currency, new.time_zone, new.shop_published_at, new.language,
      new.reply_to_email))
  execute function note_change_of_account();

create function note_change_of_person() returns trigger language plpgsql as $$
begin
  perform record_account_change(m.account_id, 'team', 0) from memberships m where m.person_id = new.id;
  return null;
end
$$;
create trigger note_edit after update of name, email on people for each row
  when ((old.name, old.email) is distinct from (new.name, new.email)) execute function note_change_of_person();

create function note_change_of_credential() returns trigger language plpgsql as $$
declare
  changed credentials := coalesce(new, old);
begin
  perform record_account_change(changed.account_id, case changed.kind when 'scanner_device' then 'devices' else 'tokens' end,
    case changed.kind when 'scanner_device' then 0 else coalesce(changed.membership_id, 0) end);
  return null;
end
$$;
create trigger note_arrival after insert on credentials for each row
  when (new.kind <> 'session') execute function note_change_of_credential();
create trigger note_edit after update of description, permission, revoked_at on credentials for each row
  when (new.kind <> 'session') execute function note_change_of_credential();
create trigger note_departure after delete on credentials for each row
  when (old.kind <> 'session') execute function note_change_of_credential();

create function note_change_of_webhook_endpoint() returns trigger language plpgsql as $$
declare
  changed webhook_endpoints := coalesce(new, old);
begin
  perform record_account_change(changed.account_id, 'webhooks', coalesce(changed.membership_id, 0));
  return null;
end
$$;
create trigger note_change after insert or update or delete on webhook_endpoints
  for each row execute function note_change_of_webhook_endpoint();

create function note_change_of_webhook_delivery() returns trigger language plpgsql as $$
begin
  perform record_account_change(e.account_id, 'webhooks', coalesce(e.membership_id, 0))
  from webhook_endpoints e where e.account_id = new.account_id and e.id = new.endpoint_id;
  return null;
end
$$;
create trigger note_change after insert or update of attempts_count, delivered_at, failed_at on webhook_deliveries
  for each row execute function note_change_of_webhook_delivery();

create function note_change_of_notification() returns trigger language plpgsql as $$
begin
  perform record_account_change(account_id, 'inbox', recipient_id)
  from (select distinct account_id, recipient_id from changed) recipients;
  return null;
end
$$;
create trigger note_arrivals after insert on notifications
  referencing new table as changed for each statement execute function note_change_of_notification();
create trigger note_edits after update on notifications
  referencing new table as changed for each statement execute function note_change_of_notification();
create trigger note_departures after delete on notifications
  referencing old table as changed for each statement execute function note_change_of_notification();

-- Guests of the list are told of by the night of their event.
create function note_change_of_order() returns trigger language plpgsql as $$
begin
  perform record_account_change(new.account_id, 'orders', new.event_id);
  return null;
end
$$;
create trigger note_change after insert or update on orders for each row
  when (new.origin = 'shop') execute function note_change_of_order();

-- Before there is an order there is nothing to see of a payment.
create function note_change_of_payment() returns trigger language plpgsql as $$
begin
  perform record_account_change(o.account_id, 'orders', o.event_id)
  from orders o where o.account_id = new.account_id and o.checkout_id = new.payable_id;
  return null;
end
$$;
create trigger note_change after insert or update of status, is_surplus, refunded_cents on payments
  for each row execute function note_change_of_payment();

create function note_change_of_refund() returns trigger language plpgsql as $$
begin
  perform record_account_change(o.account_id, 'orders', o.event_id)
  from payments p join orders o on o.account_id = p.account_id and o.checkout_id = p.payable_id
  where p.account_id = new.account_id and p.id = new.payment_id;
  return null;
end
$$;
create trigger note_change after insert or update of status, failure_message on payment_refunds
  for each row execute function note_change_of_refund();

-- Counters of what is taken are not noted: they are told as figures.
create function note_change_of_event() returns trigger language plpgsql as $$
begin
  perform record_account_change(coalesce(new.account_id, old.account_id), 'events', coalesce(new.id, old.id));
  return null;
end
$$;
create trigger note_change after insert or delete on events for each row execute function note_change_of_event();
create trigger note_edit after update of lock_version, slug, published_at, unlisted_at, cancelled_at, archived_at on events
  for each row execute function note_change_of_event();

create function note_change_at_event() returns trigger language plpgsql as $$
begin
  perform record_account_change(coalesce(new.account_id, old.account_id), 'events', coalesce(new.event_id, old.event_id));
  return null;
end
$$;
create trigger note_edit after update of lock_version, position, archived_at on tickets
  for each row execute function note_change_at_event();
create trigger note_edit after update of lock_version, position, blocked_count, closed_at on standing_areas
  for each row execute function note_change_at_event();
create trigger note_edit after update of ticket_id, blocked_at on places
  for each row execute function note_change_at_event();
do $$
declare
  watched text;
begin
  foreach watched in array array['tickets', 'standing_areas', 'places'] loop
    execute format('create trigger note_arrivals after insert on %I
      referencing new table as changed for each statement execute function note_changes_by_event(%L)', watched, 'events');
    execute format('create trigger note_departures after delete on %I
      referencing old table as changed for each statement execute function note_changes_by_event(%L)', watched, 'events');
  end loop;
end
$$;

-- Who looks at the task board at this moment, and at which task. A page says so every few seconds, and is forgotten
-- when it has been silent for longer.
create unlogged table task_viewers (
  account_id bigint not null,
  membership_id bigint not null,
  -- How the page calls itself.
  page text not null,
  task_public_id text,
  seen_at timestamptz not null default foyer_now(),
  constraint a_page_of_a_member_looks_once primary key (account_id, membership_id, page),
  constraint a_page_has_a_short_name check (char_length(page) between 1 and 64)
);
create index task_viewers_by_age on task_viewers (seen_at);
