-- What a device of the door last said of itself: one row each, written over every half minute.
create table device_heartbeats (
  account_id bigint not null,
  credential_id bigint not null,
  seen_at timestamptz not null,
  -- Scans that it has not sent yet.
  queue integer not null,
  -- The generated_at of the snapshot it decides by.
  snapshot_at timestamptz,
  app_version text,
  constraint a_device_has_one_heartbeat primary key (account_id, credential_id),
  constraint a_heartbeat_belongs_to_a_credential foreign key (account_id, credential_id)
    references credentials (account_id, id) on delete cascade,
  constraint a_queue_is_not_negative check (queue >= 0),
  constraint an_app_version_is_short check (char_length(app_version) between 1 and 255)
);

-- One code may pair a whole stack of phones, each as a device of its own.
alter table device_pairings
  add column uses integer not null default 1,
  add column used_count integer not null default 0,
  add constraint a_pairing_makes_up_to_a_hundred_devices check (uses between 1 and 100);
update device_pairings set used_count = 1 where used_at is not null;
alter table device_pairings
  add constraint a_pairing_is_used_so_often_at_most check (used_count between 0 and uses),
  add constraint a_pairing_counts_its_uses check ((used_count = 0) = (used_at is null));

-- Whether guests may leave and come in again.
alter table events add column reentry boolean not null default false;

-- When whoever came in went out again; null while they are inside, and before they came.
alter table admissions add column left_at timestamptz,
  add constraint only_who_came_in_goes_out check (left_at is null or redeemed_at is not null);

-- An entry is ended by an exit or an annulment, which is a further attempt of the log: nothing in it is ever changed.
-- Whoever is inside is so by the entry after those that were ended.
alter table admissions add column ended_entries integer not null default 0;

alter table redemption_attempts
  add column kind text not null default 'entry',
  add column reason text,
  -- Which entry of its ticket it made or ended, from 1 on.
  add column entry_number integer;
update redemption_attempts set entry_number = 1 where result = 'accepted';
alter table redemption_attempts
  add constraint an_attempt_is_of_one_of_three_kinds check (kind in ('entry', 'exit', 'annulment')),
  add constraint only_accepted_attempts_have_an_entry check ((result = 'accepted') = (entry_number is not null)),
  add constraint a_reason_is_short check (char_length(reason) between 1 and 255),
  add constraint only_annulments_have_a_reason check (reason is null or kind = 'annulment'),
  add constraint an_annulment_has_a_reason check (kind <> 'annulment' or result <> 'accepted' or reason is not null);

drop index a_ticket_is_accepted_once;
create unique index a_ticket_is_accepted_once on redemption_attempts (account_id, admission_id, entry_number)
  where result = 'accepted' and kind = 'entry';
create unique index an_entry_is_ended_once on redemption_attempts (account_id, admission_id, entry_number)
  where result = 'accepted' and kind <> 'entry';

-- A redemption is taken back only by ending its entry.
drop trigger a_redemption_is_written_once on admissions;
create trigger a_redemption_is_written_once before update of redeemed_at on admissions
  for each row when (old.redeemed_at is not null and new.redeemed_at is distinct from old.redeemed_at
    and not (new.redeemed_at is null and new.ended_entries = old.ended_entries + 1))
  execute function keep_the_first_redemption();

create function require_the_end_in_the_log() returns trigger language plpgsql as $$
begin
  if new.ended_entries <> old.ended_entries + 1 or not exists (
    select from redemption_attempts r
    where r.account_id = new.account_id and r.admission_id = new.id and r.entry_number = new.ended_entries
      and r.result = 'accepted' and r.kind <> 'entry'
  ) then
    raise exception using errcode = 'check_violation', constraint = 'an_entry_is_ended_by_the_log',
      message = 'an entry is ended by an exit or an annulment of the log';
  end if;
  return null;
end
$$;
create constraint trigger an_entry_is_ended_by_the_log after update of ended_entries on admissions
  deferrable initially deferred for each row when (new.ended_entries is distinct from old.ended_entries)
  execute function require_the_end_in_the_log();

-- As before, and whoever went out may come in again: their redemption stays the first.
create or replace function attempt_redemptions(
  account_ids bigint[], credential_ids bigint[],
  -- An event, null for any event, 0 for none; a membership that must be assigned to it, or null for the whole account.
  event_ids bigint[], membership_ids bigint[],
  event_slugs text[], public_ids text[], codes text[], client_ids text[], scanned_ats timestamptz[]
) returns table (
  n integer, asked_public_id text, result text, message text,
  scanned_at timestamptz, synced_at timestamptz, accepted_at timestamptz,
  public_id text, check_in_code text, event_slug text, event_title text, ticket_title text, ticket_color text,
  is_lead boolean, attendee_name text, status text, redeemed_at timestamptz, place_label text, place_snapshot jsonb,
  updated_at timestamptz, origin text, order_status text, archived_at timestamptz, customer_name text, staff_note text
)
  language plpgsql volatile as $$
#variable_conflict use_column
declare
  asked_count integer := cardinality(public_ids);
  found_ns integer[];
  found_ids bigint[];
  order_ids bigint[];
  firsts boolean[];
  missing_ns integer[];
begin
  -- What was typed as a code goes by the public ID of its ticket from here on.
  if array_remove(codes, null) <> '{}' then
    select array_agg(coalesce(by_id.public_id, by_code.public_id, asked.public_id) order by asked.n) into public_ids
    from unnest(account_ids, public_ids, codes) with ordinality as asked (account_id, public_id, code, n)
    left join admissions by_id on by_id.account_id = asked.account_id and by_id.public_id = asked.public_id
    left join admissions by_code on by_code.account_id = asked.account_id and by_code.check_in_code = asked.code;
  end if;

  select array_agg(locked.n), array_agg(locked.id), array_agg(locked.order_id), array_agg(locked.is_first)
  into found_ns, found_ids, order_ids, firsts
  from (
    select n, id, order_id, row_number() over (partition by account_id, id order by n) = 1 as is_first
    from (
      select asked.n::integer, a.account_id, a.id, a.order_id
      from unnest(account_ids, event_ids, membership_ids, public_ids) with ordinality
        as asked (account_id, event_id, membership_id, public_id, n)
      join admissions a on a.account_id = asked.account_id and a.public_id = asked.public_id
      left join assignments s on s.account_id = asked.account_id and s.membership_id = asked.membership_id
        and s.event_id = a.event_id
      where (asked.event_id is null or asked.event_id = a.event_id)
        and (asked.membership_id is null or s.event_id is not null)
      order by a.account_id, a.id
      for no key update of a
    ) tickets
  ) locked;

  if coalesce(cardinality(found_ns), 0) < asked_count then
    missing_ns := array(select generate_series(1, asked_count) except select unnest(found_ns));
  end if;

  return query
  with redeemed as (
    update admissions a set redeemed_at = coalesce(a.redeemed_at, foyer_now()), left_at = null, updated_at = after_touch(a.updated_at)
    from unnest(found_ns, found_ids, order_ids, firsts) as found (n, id, order_id, is_first)
    join orders o on o.account_id = account_ids[found.n] and o.id = found.order_id
    where a.account_id = account_ids[found.n] and a.id = found.id
      and found.is_first and why_blocked(o.status, o.archived_at, a.status, case when a.left_at is null then a.redeemed_at end) is null
    returning found.n, null::text as reason, a.ended_entries + 1 as entry_number, a.id, a.event_id, a.ticket_id, a.public_id, a.check_in_code, a.ticket_title,
      a.is_lead, a.attendee_name, a.status, a.redeemed_at, a.place_label, a.place_snapshot, a.updated_at,
      o.origin, o.status as order_status, o.archived_at, o.customer_name, o.staff_note
  ),
  judged as materialized (
    select * from redeemed
    union all
    -- A ticket that was asked for twice is redeemed by the first; this one shows what that made of it.
    select found.n, coalesce(blocked.reason, 'Already redeemed'), null::integer, a.id, a.event_id, a.ticket_id, a.public_id,
      a.check_in_code, a.ticket_title, a.is_lead, a.attendee_name, a.status,
      case when blocked.reason is null then coalesce(a.redeemed_at, foyer_now()) else a.redeemed_at end, a.place_label, a.place_snapshot,
      case when blocked.reason is null then after_touch(a.updated_at)
        else a.updated_at end,
      o.origin, o.status, o.archived_at, o.customer_name, o.staff_note
    from unnest(found_ns, found_ids, order_ids, firsts) as found (n, id, order_id, is_first)
    join admissions a on a.account_id = account_ids[found.n] and a.id = found.id
    join orders o on o.account_id = account_ids[found.n] and o.id = found.order_id
    cross join lateral (select why_blocked(o.status, o.archived_at, a.status, case when a.left_at is null then a.redeemed_at end) as reason) blocked
    where (select count(*) from redeemed) < cardinality(found_ns)
      and (blocked.reason is not null or not found.is_first)
    union all
    select n, 'Ticket not found', null, null, coalesce(event_ids[n], 0), null, null, null, null, null, null, null, null, null,
      null, null, null, null, null, null, null
    from unnest(missing_ns) as n
  ),
  logged as (
    insert into redemption_attempts (account_id, credential_id, event_id, admission_id, client_id, event_slug,
      public_id, result, message, scanned_at, synced_at, accepted_at, entry_number)
    select account_ids[n], credential_ids[n], event_id, id, client_ids[n], event_slugs[n],
      coalesce(public_id, public_ids[n]), door_result(reason), coalesce(reason, 'Ticket redeemed'),
      coalesce(scanned_ats[n], foyer_now()), foyer_now(), case when reason is null then foyer_now() end, entry_number
    from judged
    order by n
  )
  select j.n, coalesce(j.public_id, public_ids[j.n]), door_result(j.reason), coalesce(j.reason, 'Ticket redeemed'),
    coalesce(scanned_ats[j.n], foyer_now()), foyer_now(), case when j.reason is null then foyer_now() end,
    j.public_id, j.check_in_code, e.slug, e.title, j.ticket_title, t.color, j.is_lead, j.attendee_name, j.status,
    j.redeemed_at, j.place_label, j.place_snapshot, j.updated_at, j.origin, j.order_status, j.archived_at,
    j.customer_name, j.staff_note
  from judged j
  left join events e on e.account_id = account_ids[j.n] and e.id = j.event_id
  left join tickets t on t.account_id = account_ids[j.n] and t.id = j.ticket_id;
end
$$;

-- Scans that a device brought in too late: somebody else had let the guest in. Shown until somebody has seen to it.
create table sync_conflicts (
  account_id bigint not null,
  attempt_id bigint not null,
  event_id bigint not null,
  acknowledged_at timestamptz,
  -- Who acknowledged it; null when they have left for good.
  membership_id bigint,
  constraint a_conflict_is_known_by_its_attempt primary key (account_id, attempt_id),
  constraint a_conflict_is_of_an_attempt foreign key (account_id, event_id, attempt_id)
    references redemption_attempts (account_id, event_id, id) on delete cascade,
  constraint a_conflict_is_acknowledged_by_a_member foreign key (account_id, membership_id)
    references memberships (account_id, id) on delete set null (membership_id),
  constraint only_who_acknowledged_is_named check (membership_id is null or acknowledged_at is not null)
);
create index sync_conflicts_by_event on sync_conflicts (account_id, event_id, attempt_id);
create index sync_conflicts_by_membership on sync_conflicts (account_id, membership_id) where membership_id is not null;
