-- Passes in wallets. The first table knew that there are some; nothing was ever issued from it.
drop table wallet_passes;

-- A pass for a wallet: what somebody was given of an admission. Which secret it carries is not kept; it is derived from
-- the installation's own.
create table wallet_passes (
  account_id bigint not null,
  event_id bigint not null,
  admission_id bigint not null,
  issued_at timestamptz not null,
  -- When what it shows last changed: a whole second, and another one for each change, because phones ask by it.
  modified_at timestamptz not null,
  -- Of all that it shows. What is shown is read from the rows; this tells whether it is still the same.
  digest bytea not null,
  -- When it was last given out for Google, and which change Google was told last.
  google_issued_at timestamptz,
  google_told_at timestamptz,
  constraint an_admission_has_one_wallet_pass primary key (account_id, admission_id),
  constraint a_wallet_pass_shows_an_admission foreign key (account_id, admission_id)
    references admissions (account_id, id) on delete cascade,
  constraint a_wallet_pass_is_for_an_event foreign key (account_id, event_id)
    references events (account_id, id) on delete cascade,
  constraint a_wallet_pass_changes_by_whole_seconds
    check (modified_at = date_trunc('second', modified_at) and issued_at = date_trunc('second', issued_at)),
  constraint a_wallet_pass_changes_after_it_was_issued check (modified_at >= issued_at)
);
create index wallet_passes_by_event on wallet_passes (account_id, event_id);

-- A phone that wants to know when a pass changes.
create table wallet_registrations (
  account_id bigint not null,
  admission_id bigint not null,
  pass_type_id text not null,
  -- What the phone calls itself is all it shows when it asks what has changed, so only a digest of it is kept.
  device_digest bytea not null,
  push_token text not null,
  -- The change that the phone was told last; at first that it was issued.
  told_at timestamptz not null,
  created_at timestamptz not null default foyer_now(),
  constraint a_phone_registers_a_pass_once primary key (account_id, admission_id, pass_type_id, device_digest),
  constraint a_registration_is_for_a_pass foreign key (account_id, admission_id)
    references wallet_passes (account_id, admission_id) on delete cascade,
  constraint a_push_token_is_written_in_hexadecimal check (push_token ~ '^[0-9a-f]{8,200}$')
);
-- A phone asks before anybody knows of which accounts it has passes.
create index wallet_registrations_by_device on wallet_registrations (device_digest, pass_type_id);

-- What Google knows of an event: the digest of what it was told, null while it is to be told.
create table google_wallet_classes (
  account_id bigint not null,
  event_id bigint not null,
  digest bytea,
  constraint an_event_has_one_class_at_google primary key (account_id, event_id),
  constraint a_class_at_google_is_of_an_event foreign key (account_id, event_id)
    references events (account_id, id) on delete cascade
);

-- How the passes of an account look, and who signs them where it is not the installation.
create table wallet_settings (
  account_id bigint not null,
  color text,
  -- As it is put on passes: a PNG of at most 480 × 150 pixels.
  logo bytea,
  apple_certificate text,
  apple_intermediate text,
  apple_key_sealed bytea,
  google_issuer_id text,
  google_key_sealed bytea,
  constraint an_account_has_one_set_of_wallet_settings primary key (account_id),
  constraint wallet_settings_belong_to_an_account foreign key (account_id) references accounts (id) on delete cascade,
  constraint a_pass_has_a_colour check (color ~ '^#[0-9a-f]{6}$'),
  constraint a_logo_is_small check (octet_length(logo) <= 200000),
  constraint a_certificate_comes_with_its_key check (num_nulls(apple_certificate, apple_intermediate, apple_key_sealed) in (0, 3)),
  constraint a_google_issuer_comes_with_its_key check ((google_issuer_id is null) = (google_key_sealed is null))
);

-- Whether there is a pass for it. It stands in the row itself, so that a redemption of all others calls nothing.
alter table admissions add column has_wallet_pass boolean not null default false;

-- A job for each pass that may show something else now, added by the transaction that changes it. Nothing is locked and
-- no key is taken, so whoever changes many at once waits for nobody; a job that finds nothing new tells nobody.
create function queue_wallet_updates(the_account bigint, admission_ids bigint[]) returns void language plpgsql as $$
begin
  insert into lane_jobs (account_id, lane, name, payload, state)
  select the_account, 'wallet', 'wallet.update', jsonb_build_object('account_id', the_account, 'admission_id', id), 'ready'
  from unnest(admission_ids) as changed (id);
  if found then
    perform pg_notify('foyer_lanes', 'wallet');
  end if;
end
$$;

create function tell_wallets_of_admission() returns trigger language plpgsql as $$
begin
  perform queue_wallet_updates(new.account_id, array[new.id]);
  return null;
end
$$;
create trigger tell_wallets after update of attendee_name, is_lead, ticket_title, status, redeemed_at, place_label,
    place_snapshot, standing_area_id on admissions
  for each row when (new.has_wallet_pass
    and (old.attendee_name, old.is_lead, old.ticket_title, old.status, old.redeemed_at, old.place_label, old.place_snapshot,
        old.standing_area_id)
      is distinct from (new.attendee_name, new.is_lead, new.ticket_title, new.status, new.redeemed_at, new.place_label,
        new.place_snapshot, new.standing_area_id))
  execute function tell_wallets_of_admission();

create function tell_wallets_of_order() returns trigger language plpgsql as $$
begin
  perform queue_wallet_updates(new.account_id, array(
    select id from admissions
    where account_id = new.account_id and event_id = new.event_id and order_id = new.id and has_wallet_pass
  ));
  return null;
end
$$;
create trigger tell_wallets after update of customer_name, status on orders
  for each row when ((old.customer_name, old.status) is distinct from (new.customer_name, new.status))
  execute function tell_wallets_of_order();

create function tell_wallets_of_ticket() returns trigger language plpgsql as $$
begin
  perform queue_wallet_updates(new.account_id, array(
    select id from admissions
    where account_id = new.account_id and event_id = new.event_id and ticket_id = new.id and has_wallet_pass
  ));
  return null;
end
$$;
create trigger tell_wallets after update of color on tickets
  for each row when (old.color is distinct from new.color) execute function tell_wallets_of_ticket();

create function tell_wallets_of_standing_area() returns trigger language plpgsql as $$
begin
  perform queue_wallet_updates(new.account_id, array(
    select id from admissions
    where account_id = new.account_id and event_id = new.event_id and standing_area_id = new.id and has_wallet_pass
  ));
  return null;
end
$$;
create trigger tell_wallets after update of name on standing_areas
  for each row when (old.name is distinct from new.name) execute function tell_wallets_of_standing_area();

create function tell_wallets_of_event() returns trigger language plpgsql as $$
begin
  perform queue_wallet_updates(new.account_id, array(
    select admission_id from wallet_passes where account_id = new.account_id and event_id = new.id
  ));
  return null;
end
$$;
create trigger tell_wallets after update of title, venue_id, starts_at, doors_open_at, public_ends_at, cancelled_at, image
  on events
  for each row when (
    (old.title, old.venue_id, old.starts_at, old.doors_open_at, old.public_ends_at, old.cancelled_at, old.image)
      is distinct from
    (new.title, new.venue_id, new.starts_at, new.doors_open_at, new.public_ends_at, new.cancelled_at, new.image))
  execute function tell_wallets_of_event();

create function tell_wallets_of_venue() returns trigger language plpgsql as $$
begin
  perform queue_wallet_updates(new.account_id, array(
    select p.admission_id from events e
    join wallet_passes p on p.account_id = e.account_id and p.event_id = e.id
    where e.account_id = new.account_id and e.venue_id = new.id and e.ends_at > foyer_now()
  ));
  return null;
end
$$;
create trigger tell_wallets after update of name, address, postal_code, city, country, latitude, longitude, time_zone on venues
  for each row when (
    (old.name, old.address, old.postal_code, old.city, old.country, old.latitude, old.longitude, old.time_zone)
      is distinct from
    (new.name, new.address, new.postal_code, new.city, new.country, new.latitude, new.longitude, new.time_zone))
  execute function tell_wallets_of_venue();

-- All passes of an account whose event is not over.
create function tell_wallets_of_account(the_account bigint) returns void language sql as $$
  select queue_wallet_updates(the_account, array(
    select p.admission_id from events e
    join wallet_passes p on p.account_id = e.account_id and p.event_id = e.id
    where e.account_id = the_account and e.ends_at > foyer_now()
  ))
$$;

create function tell_wallets_of_name() returns trigger language plpgsql as $$
begin
  perform tell_wallets_of_account(new.id);
  return null;
end
$$;
create trigger tell_wallets after update of name, time_zone on accounts
  for each row when ((old.name, old.time_zone) is distinct from (new.name, new.time_zone))
  execute function tell_wallets_of_name();

create function tell_wallets_of_looks() returns trigger language plpgsql as $$
begin
  perform tell_wallets_of_account(new.account_id);
  return null;
end
$$;
create trigger tell_wallets_of_new_looks after insert on wallet_settings
  for each row when (new.color is not null or new.logo is not null) execute function tell_wallets_of_looks();
create trigger tell_wallets after update of color, logo on wallet_settings
  for each row when ((old.color, old.logo) is distinct from (new.color, new.logo))
  execute function tell_wallets_of_looks();
