-- A single character may stand for eighteen, and each of these for six plain letters. What a ticket is found by is
-- bounded after all that, at what its buyer's name, its guest's name and an address can hold without such characters.
create or replace function door_words(given text) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  plain text := left(lower(public.unaccent('public.unaccent'::regdictionary, normalize(given, nfkc))), 1000);
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

-- The beginning of a long word is enough to look for: who bears it is held against the whole word afterwards.
create or replace function door_keys_of_word(event_id bigint, word text) returns bigint[]
  language sql immutable strict parallel safe
  return case
    when length(word) < 3 then door_keys(event_id, word)
    else array(
      select keys[length(beginning) + n]
      from (select left(word, 48) as beginning) of_word,
        lateral (select door_keys(event_id, beginning) as keys) of_beginning,
        generate_series(0, length(beginning) - 3) as n
      where n % 3 = 0 or n = length(beginning) - 3
    )
  end;
