-- What people read on a seat names one place. Of those that shared a label all but the first get their key added.
update places p set label = p.label || ' (' || p.key || ')'
from (
  select account_id, id, row_number() over (partition by account_id, event_id, label order by id) as nth from places
) numbered
where numbered.account_id = p.account_id and numbered.id = p.id and numbered.nth > 1;
alter table places add constraint a_label_names_one_place unique (account_id, event_id, label);

-- A pair is one wheelchair place and its companion, of one ticket, each naming the other. Only a wheelchair place may be
-- alone. Whoever stops naming the other is looked at as well as whoever begins to.
create or replace function keep_pairs_whole() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from places mine
    left join places other
      on other.account_id = mine.account_id and other.id = mine.pair_place_id
    where mine.account_id = new.account_id and mine.id = new.id and (
      mine.accessibility = 'companion' and mine.pair_place_id is null
      or mine.pair_place_id is not null and (other.pair_place_id is distinct from mine.id
        or other.accessibility = mine.accessibility or other.ticket_id <> mine.ticket_id)
    )
  ) or exists (
    select 1 from places other
    join places mine on mine.account_id = other.account_id and mine.id = new.id
    where other.account_id = new.account_id and other.pair_place_id = new.id
      and mine.pair_place_id is distinct from other.id
  ) then
    raise exception using errcode = 'check_violation', constraint = 'a_pair_is_a_wheelchair_and_a_companion',
      message = 'a pair is a wheelchair place and its companion of one ticket, each naming the other';
  end if;
  return null;
end
$$;
drop trigger a_pair_is_a_wheelchair_and_a_companion on places;
create constraint trigger a_pair_is_a_wheelchair_and_a_companion after insert on places
  deferrable initially deferred for each row
  when (new.pair_place_id is not null or new.accessibility = 'companion') execute function keep_pairs_whole();
create constraint trigger a_pair_stays_a_wheelchair_and_a_companion
  after update of pair_place_id, accessibility, ticket_id on places
  deferrable initially deferred for each row
  when (new.pair_place_id is not null or old.pair_place_id is not null or new.accessibility = 'companion')
  execute function keep_pairs_whole();

-- A ticket that was issued once stays. A place that nobody sits on any more may go: the admission keeps its label.
alter table admissions drop constraint an_admission_is_of_a_ticket,
  add constraint an_admission_is_of_a_ticket foreign key (account_id, event_id, ticket_id)
    references tickets (account_id, event_id, id);
alter table admissions drop constraint an_admission_sits_at_the_event,
  add constraint an_admission_sits_at_the_event foreign key (account_id, event_id, place_id)
    references places (account_id, event_id, id) on delete set null (place_id),
  add constraint a_seat_is_kept_by_whoever_sits_on_it
    check (status <> 'active' or place_id is not null or place_snapshot is null or place_snapshot ->> 'key' is null);

-- Deleting thousands of places asks for each of them who holds it and whose pair it is. As "no action" it would also be
-- asked whether there is such a place still, which on tables that were just filled is looked for among all of the event.
alter table held_places drop constraint a_held_place_is_of_the_event,
  add constraint a_held_place_is_of_the_event foreign key (account_id, event_id, place_id)
    references places (account_id, event_id, id) on delete restrict;
alter table places drop constraint a_pair_is_of_one_event,
  add constraint a_pair_is_of_one_event foreign key (account_id, event_id, pair_place_id)
    references places (account_id, event_id, id) on delete set null (pair_place_id) deferrable initially deferred;

-- Doors show a ticket's color, so a door that asks what has changed since is told of a new one.
alter table tickets add column color_changed_at timestamptz;
create function note_change_of_color() returns trigger language plpgsql as $$
begin
  new.color_changed_at := foyer_now();
  return new;
end
$$;
create trigger note_change_of_color before update of color on tickets
  for each row when (old.color <> new.color) execute function note_change_of_color();

-- Everything that a shop shows or sells of them, or a counter that leaves few.
drop trigger announce_edit on tickets;
create trigger announce_edit after update on tickets for each row
  when ((old.position, old.title, old.kind, old.color, old.features, old.price_cents, old.inventory_kind, old.stock,
      old.max_per_order, old.hidden, old.group_size, old.archived_at)
    is distinct from (new.position, new.title, new.kind, new.color, new.features, new.price_cents, new.inventory_kind,
      new.stock, new.max_per_order, new.hidden, new.group_size, new.archived_at)
    or (old.claimed_count <> new.claimed_count
      and least(old.stock - old.claimed_count, new.stock - new.claimed_count) <= 15))
  execute function announce_change();
drop trigger announce_edit on standing_areas;
create trigger announce_edit after update on standing_areas for each row
  when ((old.position, old.name, old.capacity, old.blocked_count, old.closed_at)
    is distinct from (new.position, new.name, new.capacity, new.blocked_count, new.closed_at)
    or (old.claimed_count <> new.claimed_count
      and least(old.capacity - old.blocked_count - old.claimed_count,
        new.capacity - new.blocked_count - new.claimed_count) <= 15))
  execute function announce_change();
drop trigger announce_edit on places;
create trigger announce_edit after update on places for each row
  when ((old.ticket_id, old.label, old.accessibility, old.pair_place_id, old.blocked_at, old.claimed_until)
    is distinct from (new.ticket_id, new.label, new.accessibility, new.pair_place_id, new.blocked_at, new.claimed_until))
  execute function announce_change();

-- Takes all that is asked for and answers null, or takes nothing and answers with what was short. Everybody who
-- changes what an event has left locks in this order: event, ticket, area, places by ID. A statement of its own for
-- each of them sees what was committed while it waited for the one before: what a ticket is counted by, and which areas
-- it opens, may have been edited since it was asked for. What was sold elsewhere is taken as it was sold.
create or replace function claim_inventory(
  the_account bigint, the_event bigint, the_ticket bigint, quantity integer, the_area bigint, the_places bigint[],
  until timestamptz, takes_half_pairs boolean
) returns text language plpgsql as $$
declare
  refused text;
begin
  update events e set claimed_count = e.claimed_count + quantity
  where e.account_id = the_account and e.id = the_event and (e.capacity is null or e.claimed_count + quantity <= e.capacity);
  if not found then
    return 'event';
  end if;

  update tickets t set claimed_count = t.claimed_count + quantity
  where t.account_id = the_account and t.event_id = the_event and t.id = the_ticket
    and (t.stock is null or t.claimed_count + quantity <= t.stock)
    and (takes_half_pairs or t.inventory_kind = case
      when the_area is not null then 'standing' when cardinality(the_places) > 0 then 'places' else 'ga' end);
  if not found then
    update events e set claimed_count = e.claimed_count - quantity where e.account_id = the_account and e.id = the_event;
    return 'ticket';
  end if;

  if the_area is not null then
    update standing_areas a set claimed_count = a.claimed_count + quantity
    where a.account_id = the_account and a.event_id = the_event and a.id = the_area
      and a.claimed_count + a.blocked_count + quantity <= a.capacity
      and (takes_half_pairs or exists (
        select from standing_area_tickets o
        where o.account_id = the_account and o.standing_area_id = the_area and o.ticket_id = the_ticket
      ));
    if not found then
      refused := 'area';
    end if;
  end if;

  if refused is null and cardinality(the_places) > 0 then
    perform from places p
    where p.account_id = the_account and p.event_id = the_event and p.id = any (the_places)
    order by p.id for no key update;

    update places p set claimed_until = until
    where p.account_id = the_account and p.id = any (the_places) and cardinality(the_places) = (
      select count(*) from places f
      where f.account_id = the_account and f.event_id = the_event and f.id = any (the_places)
        and f.ticket_id = the_ticket and f.claimed_until is null and f.blocked_at is null
        and (takes_half_pairs or f.pair_place_id is null or f.pair_place_id = any (the_places))
    );
    if not found then
      refused := 'places';
      update standing_areas a set claimed_count = a.claimed_count - quantity
      where a.account_id = the_account and a.id = the_area;
    end if;
  end if;

  if refused is not null then
    update events e set claimed_count = e.claimed_count - quantity where e.account_id = the_account and e.id = the_event;
    update tickets t set claimed_count = t.claimed_count - quantity where t.account_id = the_account and t.id = the_ticket;
  end if;
  return refused;
end
$$;
