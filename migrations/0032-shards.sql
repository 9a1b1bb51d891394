-- Accounts may be spread over several servers, each of which has this whole schema. The first of them is the directory:
-- its tables here say who is where, those of the others are empty. With one server all of them are empty.

-- The servers beside the first one, which is number 0 and stands here too once there are others.
create table shards (
  name text not null,
  number integer not null,
  created_at timestamptz not null default foyer_now(),
  constraint shards_are_known_by_name primary key (name),
  constraint a_shard_has_a_number_of_its_own unique (number),
  constraint a_shard_is_named_like_a_host check (name ~ '^[a-z][a-z0-9-]{0,30}$'),
  constraint there_are_numbers_for_so_many_shards check (number between 0 and 1023)
);

-- Which of them this server is, so that an address that leads to another one is noticed.
create table shard_identity (
  only_row boolean not null default true,
  directory_id uuid not null,
  name text not null,
  number integer not null,
  constraint a_server_is_one_shard primary key (only_row),
  constraint a_server_is_one_shard_only check (only_row)
);

-- Accounts that are not on the first server.
create table account_shards (
  account_id bigint not null,
  shard text not null,
  constraint an_account_is_on_one_shard primary key (account_id),
  constraint an_account_is_on_a_known_shard foreign key (shard) references shards (name)
);
create index account_shards_by_shard on account_shards (shard);

-- What leads to an account on another server, before the account is known. It only says where to look: whether a
-- secret opens anything is for that server to say. One that leads nowhere opens nothing, and is swept.
create table directory_entries (
  kind text not null,
  key bytea not null,
  account_id bigint not null,
  created_at timestamptz not null default foyer_now(),
  constraint directory_entries_are_known_by_key primary key (kind, key, account_id),
  constraint a_directory_entry_is_of_a_known_kind check (
    kind in ('credential', 'invitation', 'pairing', 'payment_webhook', 'host', 'subdomain', 'wallet_device', 'person'))
);
create unique index a_directory_key_leads_to_one_account on directory_entries (kind, key)
  where kind not in ('wallet_device', 'person');
create index directory_entries_by_account on directory_entries (account_id, kind);

create function tell_account_shard() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_shards', coalesce(new.account_id, old.account_id) || ' ' || coalesce(new.shard, 'main'));
  return null;
end
$$;
create trigger tell_where_it_is after insert or update or delete on account_shards
  for each row execute function tell_account_shard();

-- An account on its way from one server to another, kept in the directory. Whoever moves it holds an advisory lock; a
-- row without its mover is of one that was killed.
create table account_moves (
  account_id bigint not null,
  move_id uuid not null default gen_random_uuid(),
  source text not null,
  target text not null,
  -- From then on the account is served by its target, and only what is left at the source has to go.
  has_arrived boolean not null default false,
  started_at timestamptz not null default foyer_now(),
  constraint an_account_moves_once_at_a_time primary key (account_id)
);

-- On every server: accounts of which nothing is written for a moment. One that is draining starts no more jobs; one that
-- is paused is not written at all. The pause stays where an account has left, for processes that have not heard of it.
create table account_pauses (
  account_id bigint not null,
  move_id uuid not null,
  is_paused boolean not null,
  constraint an_account_is_paused_once primary key (account_id)
);

-- Each row that is written is held against the list above, on servers that have company. The number of the transaction
-- is drawn first: whoever pauses an account then either sees it running, and waits, or was here before it looked.
create function refuse_paused_account() returns trigger language plpgsql as $$
declare
  the_account bigint;
begin
  perform pg_current_xact_id();
  if tg_table_name = 'accounts' then
    if tg_op = 'DELETE' then the_account := old.id; else the_account := new.id; end if;
  elsif tg_op = 'DELETE' then the_account := old.account_id; else the_account := new.account_id;
  end if;
  if exists (select from account_pauses where account_id = the_account and is_paused) then
    raise exception using errcode = 'ZM001', message = format('the account %s is moving to another server', the_account);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$$;

-- The same for jobs, which a worker claims for all accounts at once: those of an account that moves are passed over.
create function pass_over_paused_job() returns trigger language plpgsql as $$
declare
  pause account_pauses;
begin
  perform pg_current_xact_id();
  select * into pause from account_pauses where account_id = new.account_id;
  if pause is null then return new; end if;
  if tg_op = 'INSERT' then
    if pause.is_paused then
      raise exception using errcode = 'ZM001', message = format('the account %s is moving to another server', new.account_id);
    end if;
    return new;
  end if;
  if old.state <> 'running' and (pause.is_paused or new.state = 'running') then return null; end if;
  return new;
end
$$;

-- Puts the guards on the tables that have none yet: a later migration may have brought some.
create function guard_paused_accounts() returns void language plpgsql as $$
declare
  guarded record;
begin
  for guarded in
    select c.relname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attname = case when c.relname = 'accounts' then 'id' else 'account_id' end
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('account_shards', 'account_moves', 'account_pauses', 'directory_entries')
      and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'a_paused_account_is_not_written')
    order by c.relname
  loop
    execute format(
      'create trigger a_paused_account_is_not_written before %s on public.%I for each row execute function %s',
      case when guarded.relname = 'lane_jobs' then 'insert or update' else 'insert or update or delete' end,
      guarded.relname,
      case when guarded.relname = 'lane_jobs' then 'pass_over_paused_job()' else 'refuse_paused_account()' end);
  end loop;
end
$$;

-- Of 1024 numbers in a row each server draws the one that is its own, so that no two of them ever draw the same, and
-- begins beyond what was drawn before it came. Whoever draws at the same moment waits.
create function draw_own_ids(shard_number integer, drawn_elsewhere json) returns void language plpgsql as $$
declare
  drawn record;
  beyond bigint;
begin
  for drawn in
    select s.sequencename as name, coalesce((drawn_elsewhere ->> s.sequencename::text)::bigint, 0) as elsewhere
    from pg_sequences s where s.schemaname = 'public' and s.increment_by <> 1024
  loop
    execute format('alter sequence public.%I increment by 1024', drawn.name);
    execute format('select last_value from public.%I', drawn.name) into beyond;
    beyond := greatest(beyond, drawn.elsewhere);
    perform setval(format('public.%I', drawn.name)::regclass, (beyond / 1024 + 1) * 1024 + shard_number);
  end loop;
end
$$;
