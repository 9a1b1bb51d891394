-- Invitations that were out when their maker or the member they are for was deactivated lead nowhere any more.
update invitations i set revoked_at = foyer_now()
where i.accepted_at is null and i.revoked_at is null and (
  exists (
    select 1 from memberships m
    where m.account_id = i.account_id and m.id = i.invited_by_membership_id and m.deactivated_at is not null
  ) or exists (
    select 1 from memberships m join people p on p.id = m.person_id
    where m.account_id = i.account_id and p.email = i.email and m.deactivated_at > i.created_at
  )
);

-- The account row is locked first, so that a member who invites and whoever deactivates them come one after the other.
create function keep_invitations_from_outliving_members() returns trigger language plpgsql as $$
begin
  perform 1 from accounts where id = new.account_id for no key update;
  if exists (
    select 1 from invitations i
    where i.account_id = new.account_id and i.accepted_at is null and i.revoked_at is null
      and (i.invited_by_membership_id = new.id or (
        i.email = (select p.email from people p where p.id = new.person_id) and i.created_at < new.deactivated_at
      ))
  ) then
    raise exception using errcode = 'check_violation', constraint = 'no_invitation_outlives_a_membership',
      message = 'no invitation outlives a membership';
  end if;
  return null;
end
$$;
create constraint trigger no_invitation_outlives_a_membership after update of deactivated_at on memberships
  deferrable initially deferred for each row when (old.deactivated_at is null and new.deactivated_at is not null)
  execute function keep_invitations_from_outliving_members();

create function require_an_active_inviter() returns trigger language plpgsql as $$
begin
  perform 1 from accounts where id = new.account_id for no key update;
  if exists (
    select 1 from memberships m
    where m.account_id = new.account_id and m.id = new.invited_by_membership_id and m.deactivated_at is not null
  ) then
    raise exception using errcode = 'check_violation', constraint = 'an_active_member_invites',
      message = 'an active member invites';
  end if;
  return null;
end
$$;
create constraint trigger an_active_member_invites after insert on invitations
  deferrable initially deferred for each row when (new.invited_by_membership_id is not null)
  execute function require_an_active_inviter();
