-- What is spent of the budgets that all processes share: passwords, codes and links. A budget is known by a digest of
-- its name and of whom it counts, so that no address stands here in the clear. It is a clock: what is spent moves
-- full_at into the future, and once that is past nothing is spent. Not logged: after a crash a minute is forgotten.
-- No index on full_at, so that an update stays on its page; the hourly sweep reads what are a few pages.
create unlogged table spent_budgets (
  digest bytea not null,
  full_at timestamptz not null,
  constraint spent_budgets_are_known_by_digest primary key (digest)
) with (fillfactor = 50);

-- How many bytes the files of an account take, drafts that were only announced included. Kept by the triggers below;
-- its row is what uploads that are announced at once wait for, so that together they stay below the quota.
create table upload_totals (
  account_id bigint not null,
  bytes bigint not null,
  constraint upload_totals_are_known_by_account primary key (account_id),
  constraint an_upload_total_belongs_to_an_account foreign key (account_id) references accounts (id) on delete cascade,
  constraint an_upload_total_is_not_negative check (bytes >= 0)
);

insert into upload_totals (account_id, bytes) select account_id, sum(byte_size) from blobs group by account_id;

create function count_added_blobs() returns trigger language plpgsql as $$
begin
  insert into upload_totals as t (account_id, bytes)
  select account_id, sum(byte_size) from added group by account_id order by account_id
  on conflict (account_id) do update set bytes = t.bytes + excluded.bytes;
  return null;
end $$;

-- Locked in the order of the accounts: a sweep removes files of many at once.
create function count_removed_blobs() returns trigger language plpgsql as $$
begin
  perform from upload_totals where account_id in (select account_id from removed) order by account_id for update;
  update upload_totals t set bytes = t.bytes - gone.bytes
  from (select account_id, sum(byte_size) as bytes from removed group by account_id) gone
  where t.account_id = gone.account_id;
  return null;
end $$;

create trigger blobs_are_counted_when_added after insert on blobs
  referencing new table as added for each statement execute function count_added_blobs();
create trigger blobs_are_counted_when_removed after delete on blobs
  referencing old table as removed for each statement execute function count_removed_blobs();
