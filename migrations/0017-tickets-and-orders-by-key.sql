-- A plan may be older than most of the rows it finds. Here each table is joined to what was asked, by a whole key, and
-- never to another table: joined to the ticket, the order was once looked for among all orders of the account, and for
-- each of them the ticket among all tickets. Assignments are looked up likewise, where they were read whole.

-- Judges attempts in the order they are given, keeps each of them, and shows their tickets as they stand afterwards.
-- The tickets are locked first, all in one order, so that batches never wait for each other in a circle; only then are
-- they and their orders read, by a statement of its own that sees whatever was committed while this one waited.
-- It runs where statements are planned once and by index; a setting of the function's own would cost more than they do.
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
    update admissions a set redeemed_at = foyer_now(), updated_at = after_touch(a.updated_at)
    from unnest(found_ns, found_ids, order_ids, firsts) as found (n, id, order_id, is_first)
    join orders o on o.account_id = account_ids[found.n] and o.id = found.order_id
    where a.account_id = account_ids[found.n] and a.id = found.id
      and found.is_first and why_blocked(o.status, o.archived_at, a.status, a.redeemed_at) is null
    returning found.n, null::text as reason, a.id, a.event_id, a.ticket_id, a.public_id, a.check_in_code, a.ticket_title,
      a.is_lead, a.attendee_name, a.status, a.redeemed_at, a.place_label, a.place_snapshot, a.updated_at,
      o.origin, o.status as order_status, o.archived_at, o.customer_name, o.staff_note
  ),
  judged as materialized (
    select * from redeemed
    union all
    -- A ticket that was asked for twice is redeemed by the first; this one shows what that made of it.
    select found.n, coalesce(blocked.reason, 'Already redeemed'), a.id, a.event_id, a.ticket_id, a.public_id,
      a.check_in_code, a.ticket_title, a.is_lead, a.attendee_name, a.status,
      case when blocked.reason is null then foyer_now() else a.redeemed_at end, a.place_label, a.place_snapshot,
      case when blocked.reason is null then after_touch(a.updated_at)
        else a.updated_at end,
      o.origin, o.status, o.archived_at, o.customer_name, o.staff_note
    from unnest(found_ns, found_ids, order_ids, firsts) as found (n, id, order_id, is_first)
    join admissions a on a.account_id = account_ids[found.n] and a.id = found.id
    join orders o on o.account_id = account_ids[found.n] and o.id = found.order_id
    cross join lateral (select why_blocked(o.status, o.archived_at, a.status, a.redeemed_at) as reason) blocked
    where (select count(*) from redeemed) < cardinality(found_ns)
      and (blocked.reason is not null or not found.is_first)
    union all
    select n, 'Ticket not found', null, coalesce(event_ids[n], 0), null, null, null, null, null, null, null, null, null,
      null, null, null, null, null, null, null
    from unnest(missing_ns) as n
  ),
  logged as (
    insert into redemption_attempts (account_id, credential_id, event_id, admission_id, client_id, event_slug,
      public_id, result, message, scanned_at, synced_at, accepted_at)
    select account_ids[n], credential_ids[n], event_id, id, client_ids[n], event_slugs[n],
      coalesce(public_id, public_ids[n]), door_result(reason), coalesce(reason, 'Ticket redeemed'),
      coalesce(scanned_ats[n], foyer_now()), foyer_now(), case when reason is null then foyer_now() end
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
