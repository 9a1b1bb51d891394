-- Which two letters stand beside each other in a text of plain letters, as numbers. A word of two letters is too short
-- for trigrams; without these, nothing but reading every ticket would tell who bears it.
create function door_pairs(words text) returns smallint[]
  language plpgsql immutable strict parallel safe as $$
declare
  letters bytea := convert_to(words, 'UTF8');
  pairs smallint[] := array_fill(0::smallint, array[greatest(length(letters) - 1, 0)]);
begin
  for n in 1 .. length(letters) - 1 loop
    pairs[n] := get_byte(letters, n - 1) * 128 + get_byte(letters, n);
  end loop;
  return pairs;
end
$$;

drop index admissions_by_search_words;
create index admissions_by_search_words on admissions
  using gin ((array[-account_id, event_id]), search_words gin_trgm_ops, (door_pairs(search_words)))
  with (gin_pending_list_limit = 256);
