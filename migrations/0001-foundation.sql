create extension if not exists unaccent;

-- All times of Foyer come from here, so that a test can move the clock for every process at once.
create function foyer_now() returns timestamptz
  language sql stable parallel safe
  return now();

-- What updated_at becomes when a row is touched: it only ever moves forward, also when a row is written twice in one
-- transaction.
create function after_touch(updated_at timestamptz) returns timestamptz
  language sql stable parallel safe
  return greatest(foyer_now(), updated_at + interval '1 millisecond');

create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := after_touch(old.updated_at);
  return new;
end
$$;

-- How names are compared when people search: without case and without accents.
create function searchable(given text) returns text
  language sql immutable strict parallel safe
  return lower(unaccent(given));
