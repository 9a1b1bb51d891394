create extension if not exists unaccent;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- How texts are compared at the door: without case and accents. A letter of another script is written as six plain
-- ones, because trigrams know only plain letters where the database's own locale is C.
create function door_words(given text) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  plain text := lower(public.unaccent('public.unaccent'::regdictionary, normalize(given, nfkc)));
begin
  if octet_length(plain) = char_length(plain) then
    return plain;
  end if;
  return (
    select string_agg(case when ascii(letter) < 128 then letter else 'u' || lpad(to_hex(ascii(letter)), 5, '0') end, '' order by n)
    from regexp_split_to_table(plain, '') with ordinality as letters (letter, n)
  );
end
$$;

-- A part of such a text, as LIKE wants it: what a person types means itself.
create function door_pattern(typed text) returns text
  language sql immutable strict parallel safe
  return '%' || regexp_replace(door_words(typed), '([\\%_])', '\\\1', 'g') || '%';

-- What a ticket is found by: its buyer, its guest and the buyer's address. It stands in a column of its own, so that a
-- redemption changes nothing an index knows.
alter table admissions add column search_words text not null default '';

create function words_of_admission(customer_name text, delivery_email text, attendee_name text) returns text
  language sql immutable parallel safe
  return door_words(concat_ws(' ', customer_name, attendee_name, delivery_email));

create function keep_search_words() returns trigger language plpgsql as $$
begin
  select words_of_admission(o.customer_name, o.delivery_email, new.attendee_name) into new.search_words
  from orders o where o.account_id = new.account_id and o.id = new.order_id;
  -- Whether there is such an order is the foreign key's question.
  new.search_words := coalesce(new.search_words, '');
  return new;
end
$$;
create trigger keep_search_words before insert or update of attendee_name on admissions
  for each row execute function keep_search_words();

update admissions a set search_words = words_of_admission(o.customer_name, o.delivery_email, a.attendee_name)
from orders o where o.account_id = a.account_id and o.id = a.order_id;

-- A short list of pending entries: every search reads it whole.
create index admissions_by_search_words on admissions using gin (account_id, event_id, search_words gin_trgm_ops)
  with (gin_pending_list_limit = 256);

-- Snapshots read an event's tickets in this order, a batch at a time.
drop index admissions_by_event;
create index admissions_by_event on admissions (account_id, event_id, id);

-- Whatever a ticket shows touches the ticket, also when it stands in the order, the ticket type or the event: apps
-- compare updated_at, and what changed since a snapshot is found by it. The rows are locked after their order, as
-- everybody locks them.
create function touch_admissions_of_order() returns trigger language plpgsql as $$
begin
  update admissions a
  set search_words = words_of_admission(new.customer_name, new.delivery_email, a.attendee_name)
  from (
    select id from admissions
    where account_id = new.account_id and event_id = new.event_id and order_id = new.id
    order by id for no key update
  ) mine
  where a.account_id = new.account_id and a.id = mine.id;
  return null;
end
$$;
create trigger touch_admissions_of_order
  after update of customer_name, delivery_email, staff_note, status, archived_at on orders
  for each row when (
    (old.customer_name, old.delivery_email, old.staff_note, old.status, old.archived_at)
      is distinct from (new.customer_name, new.delivery_email, new.staff_note, new.status, new.archived_at)
  ) execute function touch_admissions_of_order();

create function touch_admissions_of_ticket() returns trigger language plpgsql as $$
begin
  update admissions a set ticket_id = a.ticket_id
  from (
    select id from admissions
    where account_id = new.account_id and event_id = new.event_id and ticket_id = new.id
    order by id for no key update
  ) mine
  where a.account_id = new.account_id and a.id = mine.id;
  return null;
end
$$;
create trigger touch_admissions_of_ticket after update of color on tickets
  for each row when (old.color is distinct from new.color) execute function touch_admissions_of_ticket();

create function touch_admissions_of_event() returns trigger language plpgsql as $$
begin
  update admissions a set ticket_id = a.ticket_id
  from (
    select id from admissions where account_id = new.account_id and event_id = new.id
    order by id for no key update
  ) mine
  where a.account_id = new.account_id and a.id = mine.id;
  return null;
end
$$;
create trigger touch_admissions_of_event after update of slug, title on events
  for each row when ((old.slug, old.title) is distinct from (new.slug, new.title))
  execute function touch_admissions_of_event();

-- Every attempt to redeem a ticket, online and synced, accepted or not. Only attempt_redemptions writes here, from rows
-- of the account that it holds locked. So there are no foreign keys: each would be one more look-up and row lock for every
-- redemption, and the event's would be locked after the ticket, while everybody else locks the event first.
create table redemption_attempts (
  account_id bigint not null,
  -- 0 where the attempt named no event of the account and no ticket.
  event_id bigint not null,
  id bigint generated by default as identity,
  credential_id bigint not null,
  admission_id bigint,
  client_id text,
  -- As they were asked for, also when they name nothing.
  event_slug text not null,
  public_id text not null,
  result text not null,
  message text not null,
  scanned_at timestamptz not null,
  synced_at timestamptz not null,
  accepted_at timestamptz,
  constraint attempts_are_known_within_their_event primary key (account_id, event_id, id),
  constraint an_attempt_ends_in_one_of_four_ways check (result in ('accepted', 'conflict', 'blocked', 'not_found')),
  constraint only_accepted_attempts_have_a_time check ((result = 'accepted') = (accepted_at is not null)),
  constraint a_client_id_is_short check (char_length(client_id) between 1 and 255)
);
create unique index a_device_makes_an_attempt_once on redemption_attempts (account_id, credential_id, client_id)
  where client_id is not null;
create unique index a_ticket_is_accepted_once on redemption_attempts (account_id, admission_id) where result = 'accepted';

-- One device's batches come one after the other, also when the same one is sent twice at once.
create function lock_attempts_of(credential_id bigint) returns void
  language sql volatile
  begin atomic
    select pg_advisory_xact_lock(hashint8extended(credential_id, 6));
  end;

-- Why a ticket cannot be redeemed, or null: the same verdict as door/rules.ts, which a test holds against this one.
create function why_blocked(order_status text, archived_at timestamptz, admission_status text, redeemed_at timestamptz)
  returns text language sql immutable parallel safe
  return case
    when archived_at is not null then 'Order archived'
    when order_status = 'refunded' then 'Order refunded'
    when order_status in ('cancelled', 'booking_cancelled') then 'Order cancelled'
    when order_status = 'disputed' then 'Order disputed'
    when order_status <> 'paid' then 'Order unpaid'
    when admission_status = 'cancelled' then 'Ticket cancelled'
    when admission_status <> 'active' then 'Ticket refunded'
    when redeemed_at is not null then 'Already redeemed'
  end;

create function door_result(reason text) returns text
  language sql immutable parallel safe
  return case
    when reason is null then 'accepted'
    when reason = 'Already redeemed' then 'conflict'
    when reason = 'Ticket not found' then 'not_found'
    else 'blocked'
  end;

-- Judges attempts in the order they are given, keeps each of them, and shows their tickets as they stand afterwards.
-- The tickets are locked first, all in one order, so that batches never wait for each other in a circle; only then are
-- they and their orders read, by a statement of its own that sees whatever was committed while this one waited.
create function attempt_redemptions(
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
  language plpgsql volatile
  -- Plans are kept, perhaps from a time when the tables were small: always look rows up, never read a table whole.
  set enable_seqscan = off set enable_material = off set enable_hashjoin = off set enable_mergejoin = off
  as $$
#variable_conflict use_column
declare
  admission_ids bigint[];
begin
  select array_agg(
    case
      when asked.event_id <> coalesce(by_id.event_id, by_code.event_id) then null
      when asked.membership_id is null or exists (
        select from assignments s
        where s.account_id = asked.account_id and s.membership_id = asked.membership_id
          and s.event_id = coalesce(by_id.event_id, by_code.event_id)
      ) then coalesce(by_id.id, by_code.id)
    end order by asked.n) into admission_ids
  from unnest(account_ids, event_ids, membership_ids, public_ids, codes) with ordinality
    as asked (account_id, event_id, membership_id, public_id, code, n)
  left join admissions by_id on by_id.account_id = asked.account_id and by_id.public_id = asked.public_id
  left join admissions by_code on by_code.account_id = asked.account_id and by_code.check_in_code = asked.code;

  perform
  from unnest(account_ids, admission_ids) as asked (account_id, id)
  join admissions a on a.account_id = asked.account_id and a.id = asked.id
  order by a.account_id, a.id
  for no key update of a;

  return query
  with judged as materialized (
    select asked.n, asked.account_id, asked.credential_id, asked.client_id, asked.admission_id,
      coalesce(a.event_id, asked.event_id, 0) as event_id, a.ticket_id, asked.event_slug,
      coalesce(a.public_id, asked.public_id) as asked_public_id,
      coalesce(asked.scanned_at, foyer_now()) as scanned_at, foyer_now() as synced_at,
      case
        when a.id is null then 'Ticket not found'
        when row_number() over (partition by asked.account_id, a.id order by asked.n) > 1
          then coalesce(why_blocked(o.status, o.archived_at, a.status, a.redeemed_at), 'Already redeemed')
        else why_blocked(o.status, o.archived_at, a.status, a.redeemed_at)
      end as reason,
      a.public_id, a.check_in_code, a.ticket_title, a.is_lead, a.attendee_name, a.status, a.redeemed_at, a.place_label,
      a.place_snapshot, a.updated_at, o.origin, o.status as order_status, o.archived_at, o.customer_name, o.staff_note
    from unnest(account_ids, credential_ids, event_ids, event_slugs, public_ids, client_ids, scanned_ats, admission_ids)
      with ordinality as asked
        (account_id, credential_id, event_id, event_slug, public_id, client_id, scanned_at, admission_id, n)
    left join admissions a on a.account_id = asked.account_id and a.id = asked.admission_id
    left join orders o on o.account_id = a.account_id and o.id = a.order_id
  ),
  redeemed as (
    update admissions a set redeemed_at = foyer_now()
    from judged j
    where j.reason is null and a.account_id = j.account_id and a.id = j.admission_id and a.redeemed_at is null
  ),
  logged as (
    insert into redemption_attempts (account_id, credential_id, event_id, admission_id, client_id, event_slug,
      public_id, result, message, scanned_at, synced_at, accepted_at)
    select account_id, credential_id, event_id, admission_id, client_id, event_slug, asked_public_id,
      door_result(reason), coalesce(reason, 'Ticket redeemed'), scanned_at, synced_at,
      case when reason is null then synced_at end
    from judged
    order by n
  )
  select j.n::integer, j.asked_public_id, door_result(j.reason), coalesce(j.reason, 'Ticket redeemed'),
    j.scanned_at, j.synced_at, case when j.reason is null then j.synced_at end,
    j.public_id, j.check_in_code, e.slug, e.title, j.ticket_title, t.color, j.is_lead, j.attendee_name, j.status,
    case when bool_or(j.reason is null) over same_ticket then foyer_now() else j.redeemed_at end,
    j.place_label, j.place_snapshot,
    -- What the trigger that touches the row makes of it.
    case when bool_or(j.reason is null) over same_ticket
      then greatest(foyer_now(), j.updated_at + interval '1 millisecond') else j.updated_at end,
    j.origin, j.order_status, j.archived_at, j.customer_name, j.staff_note
  from judged j
  left join events e on e.account_id = j.account_id and e.id = j.event_id
  left join tickets t on t.account_id = j.account_id and t.id = j.ticket_id
  window same_ticket as (partition by j.account_id, j.admission_id);
end
$$;
