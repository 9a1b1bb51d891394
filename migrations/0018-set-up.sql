-- What a venue file calls things by is kept, so that an export calls them the same.
alter table venues add column key text, add column lock_version integer not null default 0;
alter table tickets add column key text, add column lock_version integer not null default 0;
alter table standing_areas add column key text, add column lock_version integer not null default 0;
alter table questions add column key text, add column lock_version integer not null default 0;
alter table events add column lock_version integer not null default 0;
update venues set key = 'venue-' || id;
update tickets set key = 'ticket-' || id;
update standing_areas set key = 'area-' || id;
update questions set key = 'question-' || id;
alter table venues alter column key set not null, add constraint a_key_names_one_venue unique (account_id, key);
alter table tickets alter column key set not null, add constraint a_key_names_one_ticket unique (account_id, event_id, key);
alter table standing_areas alter column key set not null,
  add constraint a_key_names_one_standing_area unique (account_id, event_id, key);
alter table questions alter column key set not null,
  add constraint a_key_names_one_question unique (account_id, event_id, key);

alter table accounts add column language text not null default 'en',
  add constraint an_account_speaks_a_known_language check (language in ('en', 'de'));

drop trigger announce_edit on accounts;
create trigger announce_edit after update on accounts for each row
  when ((old.name, old.subdomain, old.currency, old.time_zone, old.shop_published_at, old.language)
    is distinct from (new.name, new.subdomain, new.currency, new.time_zone, new.shop_published_at, new.language))
  execute function announce_change_of_account();

-- Every slug that an event has or had: an old address leads to the event for ever, and to no other one.
create table event_slugs (
  account_id bigint not null,
  slug text not null,
  event_id bigint not null,
  created_at timestamptz not null default foyer_now(),
  constraint a_slug_is_given_to_one_event_for_ever primary key (account_id, slug),
  constraint a_slug_is_known_within_its_event unique (account_id, event_id, slug),
  constraint a_slug_leads_to_an_event foreign key (account_id, event_id)
    references events (account_id, id) on delete cascade
);
insert into event_slugs (account_id, slug, event_id, created_at) select account_id, slug, id, created_at from events;

create function keep_slug() returns trigger language plpgsql as $$
begin
  insert into event_slugs (account_id, slug, event_id) values (new.account_id, new.slug, new.id) on conflict do nothing;
  return null;
end
$$;
create trigger keep_slug after insert or update of slug on events for each row execute function keep_slug();

-- Checked at the end of the transaction, when the trigger has taken the slug, or has found it taken by another event.
alter table events add constraint an_event_has_a_slug_of_its_own foreign key (account_id, id, slug)
  references event_slugs (account_id, event_id, slug) deferrable initially deferred;
create index events_by_own_slug on events (account_id, id, slug);

-- Amounts are cents of the account's currency, so it stays what it is once somebody has paid in it.
create function account_has_taken_money(the_account bigint) returns boolean language sql stable as $$
  select exists (select 1 from vouchers where account_id = the_account)
    or exists (select 1 from orders where account_id = the_account and origin = 'shop')
$$;
create index shop_orders_by_account on orders (account_id) where origin = 'shop';

create function keep_the_currency() returns trigger language plpgsql as $$
begin
  if account_has_taken_money(new.id) then
    raise exception using errcode = 'check_violation', constraint = 'a_currency_is_kept_once_money_was_taken',
      message = 'the currency is kept once money was taken in it';
  end if;
  return new;
end
$$;
create trigger a_currency_is_kept_once_money_was_taken before update of currency on accounts
  for each row when (old.currency <> new.currency) execute function keep_the_currency();
