-- Whatever shows at a shop is announced when it changes, once for each account and transaction, so that every process
-- can drop what it remembers of it. Counters are announced only where the shop could tell the difference: it says
-- whether something is left and whether 15 or fewer are, and nothing else. Redemptions do not show and are silent.

create function announce_change_of_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('shop', coalesce(new.id, old.id)::text);
  return null;
end
$$;

create function announce_change() returns trigger language plpgsql as $$
begin
  if old.account_id <> new.account_id then perform pg_notify('shop', old.account_id::text); end if;
  perform pg_notify('shop', new.account_id::text);
  return null;
end
$$;

-- For rows that come and go, by the statement: a whole seating plan is announced as quickly as one seat.
create function announce_changes() returns trigger language plpgsql as $$
begin
  perform pg_notify('shop', account_id::text) from (select distinct account_id from changed) accounts;
  return null;
end
$$;

create trigger announce_end after delete on accounts for each row execute function announce_change_of_account();
create trigger announce_edit after update on accounts for each row
  when ((old.name, old.subdomain, old.currency, old.time_zone, old.shop_published_at)
    is distinct from (new.name, new.subdomain, new.currency, new.time_zone, new.shop_published_at))
  execute function announce_change_of_account();

do $$
declare
  shown text;
begin
  foreach shown in array array['shop_hosts', 'venues', 'events', 'performers', 'faq_items', 'tickets',
    'ticket_access_codes', 'standing_areas', 'standing_area_tickets', 'places']
  loop
    execute format('create trigger announce_arrivals after insert on %I
      referencing new table as changed for each statement execute function announce_changes()', shown);
    execute format('create trigger announce_departures after delete on %I
      referencing old table as changed for each statement execute function announce_changes()', shown);
  end loop;

  foreach shown in array array['shop_hosts', 'venues', 'performers', 'faq_items', 'ticket_access_codes',
    'standing_area_tickets']
  loop
    execute format('create trigger announce_edit after update on %I
      for each row when (old.* is distinct from new.*) execute function announce_change()', shown);
  end loop;
end
$$;

-- Every column but the counter and updated_at, or a counter that leaves few.
create trigger announce_edit after update on events for each row
  when ((old.slug, old.title, old.description, old.venue_id, old.starts_at, old.doors_open_at, old.public_ends_at,
      old.show_end_time, old.sales_starts_at, old.sales_ends_at, old.minimum_age, old.video_url, old.video_title,
      old.image, old.background_image, old.gallery_images, old.published_at, old.unlisted_at, old.cancelled_at,
      old.archived_at, old.capacity)
    is distinct from (new.slug, new.title, new.description, new.venue_id, new.starts_at, new.doors_open_at,
      new.public_ends_at, new.show_end_time, new.sales_starts_at, new.sales_ends_at, new.minimum_age, new.video_url,
      new.video_title, new.image, new.background_image, new.gallery_images, new.published_at, new.unlisted_at,
      new.cancelled_at, new.archived_at, new.capacity)
    or (old.claimed_count <> new.claimed_count
      and least(old.capacity - old.claimed_count, new.capacity - new.claimed_count) <= 15))
  execute function announce_change();

create trigger announce_edit after update on tickets for each row
  when ((old.position, old.title, old.kind, old.color, old.features, old.price_cents, old.inventory_kind, old.stock,
      old.max_per_order, old.hidden, old.archived_at)
    is distinct from (new.position, new.title, new.kind, new.color, new.features, new.price_cents, new.inventory_kind,
      new.stock, new.max_per_order, new.hidden, new.archived_at)
    or (old.claimed_count <> new.claimed_count
      and least(old.stock - old.claimed_count, new.stock - new.claimed_count) <= 15))
  execute function announce_change();

-- Few left in all the areas of a ticket means few left in each of them.
create trigger announce_edit after update on standing_areas for each row
  when ((old.capacity, old.blocked_count, old.closed_at) is distinct from (new.capacity, new.blocked_count, new.closed_at)
    or (old.claimed_count <> new.claimed_count
      and least(old.capacity - old.blocked_count - old.claimed_count,
        new.capacity - new.blocked_count - new.claimed_count) <= 15))
  execute function announce_change();

-- Places have no counter, so each that is taken, freed or blocked counts.
create trigger announce_edit after update on places for each row
  when ((old.ticket_id, old.blocked_at, old.claimed_until)
    is distinct from (new.ticket_id, new.blocked_at, new.claimed_until))
  execute function announce_change();

-- What a hold takes shows in the counters; only its end is its own.
create trigger announce_edit after update of expires_at on holds for each row
  when (old.expires_at <> new.expires_at) execute function announce_change();
