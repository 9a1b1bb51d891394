-- Which processes work off jobs, and when each of them last showed itself. Real time on purpose: moving the
-- house's clock must not make living processes look dead.
create table workers (
  process_id text not null,
  worker_ids text[] not null,
  beat_at timestamptz not null default clock_timestamp(),
  constraint workers_are_known_by_process primary key (process_id)
);
