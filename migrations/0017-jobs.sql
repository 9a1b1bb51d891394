-- Which processes work off jobs, and when each of them last showed itself. Real time on purpose: moving the
-- house's clock must not make living processes look dead.
create table workers (
  process_id text not null,
  worker_ids text[] not null,
  beat_at timestamptz not null default clock_timestamp(),
  constraint workers_are_known_by_process primary key (process_id)
);

-- Work that leaves Foyer for others: mail, webhooks, pushes, imports. Each kind has a lane of its own, and within a
-- lane accounts take turns, so that nobody waits for what somebody else has brought. Real time on purpose, like the
-- heartbeats of those who work it off.
create table lane_jobs (
  -- 0: Foyer's own, like a link to sign in, which belongs to a person and not to an account.
  account_id bigint not null,
  id bigint generated always as identity,
  lane text not null,
  name text not null,
  payload jsonb not null,
  -- Jobs of an account with the same key never run at once; an empty one holds up nothing.
  serial_key text not null default '',
  -- A job with the key of one that waits takes its place.
  job_key text,
  state text not null,
  attempts integer not null default 0,
  run_at timestamptz not null default clock_timestamp(),
  locked_by text,
  locked_at timestamptz,
  last_error text,
  constraint lane_jobs_are_known_by_id primary key (account_id, id),
  constraint a_lane_job_is_in_a_known_state check (state in ('later', 'ready', 'running', 'failed')),
  constraint a_running_lane_job_says_who_runs_it
    check ((state = 'running') = (locked_by is not null) and (locked_by is null) = (locked_at is null))
);
create unique index a_job_key_names_one_waiting_lane_job on lane_jobs (account_id, job_key) where job_key is not null;
create unique index lane_jobs_of_one_serial_key_run_one_at_a_time on lane_jobs (account_id, lane, serial_key)
  where state = 'running' and serial_key <> '';
create index lane_jobs_by_turn on lane_jobs (lane, account_id, serial_key, run_at, id) where state = 'ready';
create index lane_jobs_by_time on lane_jobs (lane, run_at) where state = 'later';
create index lane_jobs_by_worker on lane_jobs (locked_by) where state = 'running';

-- One of the account's serial keys under which something is ready and nothing runs. A chance choice, so that a key with
-- much to do does not keep the others from their turn.
create function free_serial_key(chosen_lane text, chosen_account bigint) returns text language sql
set enable_seqscan = off set enable_bitmapscan = off as $$
  with recursive keys as (
    (
      select serial_key from lane_jobs
      where lane = chosen_lane and state = 'ready' and account_id = chosen_account
      order by serial_key limit 1
    )
    union all
    select following.serial_key
    from keys, lateral (
      select j.serial_key from lane_jobs j
      where j.lane = chosen_lane and j.state = 'ready' and j.account_id = chosen_account
        and j.serial_key > keys.serial_key
      order by j.serial_key limit 1
    ) following
  )
  select serial_key from keys
  where serial_key = '' or not exists (
    select from lane_jobs busy
    where busy.account_id = chosen_account and busy.lane = chosen_lane and busy.serial_key = keys.serial_key
      and busy.state = 'running' and busy.serial_key <> ''
  )
  order by random() limit 1
$$;

-- Takes at most one ready job of each account, beginning with the account after the one that was served last. It hops
-- through the index from account to account, so its cost does not grow with how much an account has brought. Whoever
-- chooses is alone in the lane for that moment, so that two processes never choose the same serial key.
create function claim_lane_jobs(
  chosen_lane text, worker text, served_last bigint, full_accounts bigint[], most integer
) returns setof lane_jobs language plpgsql
-- A plan that was made while the lanes were empty serves when they are full.
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  next_account bigint := served_last;
  has_wrapped boolean := false;
  free_key text;
  claimed lane_jobs;
begin
  perform pg_advisory_xact_lock(hashtextextended('lane_jobs/' || chosen_lane, 0));
  update lane_jobs set state = 'ready'
  where lane = chosen_lane and state = 'later' and run_at <= clock_timestamp();

  while most > 0 loop
    next_account := (
      select j.account_id from lane_jobs j
      where j.lane = chosen_lane and j.state = 'ready' and j.account_id > next_account
      order by j.account_id limit 1
    );
    if next_account is null and not has_wrapped then
      has_wrapped := true;
      next_account := -1;
      continue;
    end if;
    exit when next_account is null or (has_wrapped and next_account > served_last);
    continue when next_account = any (full_accounts);

    free_key := free_serial_key(chosen_lane, next_account);
    continue when free_key is null;
    update lane_jobs j set state = 'running', attempts = j.attempts + 1, job_key = null,
      locked_by = worker, locked_at = clock_timestamp()
    where j.account_id = next_account and j.id = (
      select oldest.id from lane_jobs oldest
      where oldest.lane = chosen_lane and oldest.state = 'ready'
        and oldest.account_id = next_account and oldest.serial_key = free_key
      order by oldest.run_at, oldest.id limit 1
      for update skip locked
    )
    returning j.* into claimed;
    continue when claimed.id is null;
    most := most - 1;
    return next claimed;
  end loop;
end
$$;
