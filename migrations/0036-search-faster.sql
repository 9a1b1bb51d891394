-- How names are compared stays what it was. As a function of SQL it could not be made part of the statement, since unaccent
-- is only stable, and each call cost several times what it does; most names have no accents to take off.
create or replace function searchable(given text) returns text
  language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(given) = char_length(given) then
    return lower(given);
  end if;
  return lower(unaccent(given));
end
$$;
