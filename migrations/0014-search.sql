-- A search names an event or the whole account, so a ticket stands in the index under both, and under one of the two it
-- is found: the list of everything an account ever sold is not read to find a name in one night.
drop index admissions_by_search_words;
create index admissions_by_search_words on admissions
  using gin ((array[-account_id, event_id]), search_words gin_trgm_ops) with (gin_pending_list_limit = 256);
