-- What a ticket is found by: each two and each three letters in a row of its words, as numbers that belong to its event.
-- A list of this index names the tickets of one night that bear three letters, and nothing else: before, the lists of
-- everything that was ever sold were held against the list of all tickets of the night.
-- The words are plain letters of seven bits. Pairs come first, then what has three.
create function door_keys(event_id bigint, words text) returns bigint[]
  language plpgsql immutable strict parallel safe as $$
declare
  letters bytea := convert_to(words, 'UTF8');
  pairs integer := greatest(length(letters) - 1, 0);
  keys bigint[] := array_fill(0::bigint, array[greatest(2 * pairs - 1, 0)]);
  first_pair bigint := event_id << 22;
  first_three bigint := first_pair + (1 << 21);
  pair integer;
begin
  for n in 1 .. pairs loop
    pair := get_byte(letters, n - 1) << 7 | get_byte(letters, n);
    keys[n] := first_pair + pair;
    if n < pairs then
      keys[pairs + n] := first_three + (pair << 7 | get_byte(letters, n + 1));
    end if;
  end loop;
  return keys;
end
$$;

-- What to look for to find a word: threes beside each other that cover it, or the one pair it consists of. Who bears
-- them all is held against the whole word afterwards; those in between would hardly spare anybody that.
create function door_keys_of_word(event_id bigint, word text) returns bigint[]
  language sql immutable strict parallel safe
  return case
    when length(word) < 3 then door_keys(event_id, word)
    else array(
      select keys[length(word) + n]
      from (select door_keys(event_id, word) as keys) of_word, generate_series(0, length(word) - 3) as n
      where n % 3 = 0 or n = length(word) - 3
    )
  end;

drop index admissions_by_search_words;
create index admissions_by_search_words on admissions using gin (door_keys(event_id, search_words))
  with (gin_pending_list_limit = 256);

drop function door_pairs(text);
drop function door_pattern(text);
