-- The backups that were made whole, so that somebody is told when the last one is too old. Of the installation, not of
-- an account.
create table backups (
  id bigint generated always as identity,
  started_at timestamptz not null,
  finished_at timestamptz not null default foyer_now(),
  -- Where it was put, without any secret of the place.
  target text not null,
  byte_size bigint not null,
  -- Made by the timetable, which does not count what somebody makes by hand.
  is_scheduled boolean not null,
  constraint backups_are_known_by_id primary key (id),
  constraint a_backup_has_bytes check (byte_size > 0),
  constraint a_backup_ends_after_it_began check (finished_at >= started_at)
);
create index the_backups_by_time on backups (finished_at);
