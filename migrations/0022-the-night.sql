-- What a device of the door last said of itself: one row each, written over every half minute.
create table device_heartbeats (
  account_id bigint not null,
  credential_id bigint not null,
  seen_at timestamptz not null,
  -- Scans that it has not sent yet.
  queue integer not null,
  -- The generated_at of the snapshot it decides by.
  snapshot_at timestamptz,
  app_version text,
  constraint a_device_has_one_heartbeat primary key (account_id, credential_id),
  constraint a_heartbeat_belongs_to_a_credential foreign key (account_id, credential_id)
    references credentials (account_id, id) on delete cascade,
  constraint a_queue_is_not_negative check (queue >= 0),
  constraint an_app_version_is_short check (char_length(app_version) between 1 and 255)
);

-- One code may pair a whole stack of phones, each as a device of its own.
alter table device_pairings
  add column uses integer not null default 1,
  add column used_count integer not null default 0,
  add constraint a_pairing_makes_up_to_a_hundred_devices check (uses between 1 and 100);
update device_pairings set used_count = 1 where used_at is not null;
alter table device_pairings
  add constraint a_pairing_is_used_so_often_at_most check (used_count between 0 and uses),
  add constraint a_pairing_counts_its_uses check ((used_count = 0) = (used_at is null));

-- Whether guests may leave and come in again.
alter table events add column reentry boolean not null default false;

-- When whoever came in went out again; null while they are inside, and before they came.
alter table admissions add column left_at timestamptz,
  add constraint only_who_came_in_goes_out check (left_at is null or redeemed_at is not null);
