-- Online attempts of one device may be made side by side, but not beside a batch that it syncs, which holds
-- lock_attempts_of(). Says whether they may be made now, and waits for nobody.
create function share_attempts_of(credential_id bigint) returns boolean
  language sql volatile
  return pg_try_advisory_xact_lock_shared(hashint8extended(credential_id, 6));

-- Comes back when the device is not syncing.
create function wait_for_attempts_of(credential_id bigint) returns void
  language sql volatile
  begin atomic
    select pg_advisory_xact_lock_shared(hashint8extended(credential_id, 6));
  end;

-- Judges attempts of many devices, as attempt_redemptions() does, but those with a client_id only once. It has no row for
-- an attempt that was made before, nor for one whose device is syncing at the moment.
create function attempt_redemptions_once(
  account_ids bigint[], credential_ids bigint[], event_ids bigint[], membership_ids bigint[],
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
  open_ns integer[];
  fresh_ns integer[];
begin
  select array_agg(asked.n::integer order by asked.n) into open_ns
  from unnest(credential_ids, client_ids) with ordinality as asked (credential_id, client_id, n)
  where asked.client_id is null or share_attempts_of(asked.credential_id);

  -- By a statement of its own, which sees what was committed before the devices were shared.
  select array_agg(asked.n order by asked.n) into fresh_ns
  from (
    select n, client_ids[n] as client_id,
      row_number() over (partition by account_ids[n], credential_ids[n], client_ids[n] order by n) as nth
    from unnest(open_ns) as n
  ) asked
  left join redemption_attempts r on r.account_id = account_ids[asked.n] and r.credential_id = credential_ids[asked.n]
    and r.client_id = asked.client_id
  where asked.client_id is null or (asked.nth = 1 and r.id is null);

  if fresh_ns is null then
    return;
  end if;
  return query
  select fresh_ns[judged.n], judged.asked_public_id, judged.result, judged.message, judged.scanned_at, judged.synced_at,
    judged.accepted_at, judged.public_id, judged.check_in_code, judged.event_slug, judged.event_title,
    judged.ticket_title, judged.ticket_color, judged.is_lead, judged.attendee_name, judged.status, judged.redeemed_at,
    judged.place_label, judged.place_snapshot, judged.updated_at, judged.origin, judged.order_status,
    judged.archived_at, judged.customer_name, judged.staff_note
  from (
    select array_agg(account_ids[n] order by n) as account_ids, array_agg(credential_ids[n] order by n) as credential_ids,
      array_agg(event_ids[n] order by n) as event_ids, array_agg(membership_ids[n] order by n) as membership_ids,
      array_agg(event_slugs[n] order by n) as event_slugs, array_agg(public_ids[n] order by n) as public_ids,
      array_agg(codes[n] order by n) as codes, array_agg(client_ids[n] order by n) as client_ids,
      array_agg(scanned_ats[n] order by n) as scanned_ats
    from unnest(fresh_ns) as n
  ) fresh
  cross join lateral attempt_redemptions(fresh.account_ids, fresh.credential_ids, fresh.event_ids, fresh.membership_ids,
    fresh.event_slugs, fresh.public_ids, fresh.codes, fresh.client_ids, fresh.scanned_ats) judged;
end
$$;
