-- Holds for several buyers of one event, in their order: each gets all that it asks for, or nothing and is told what was
-- short of which item. A request is a list of items (ticket_id, quantity, stock_quantity, standing_area_id, place_ids,
-- takes_half_pairs).
--
-- Where nobody wants a place of their own the sum is claimed first: the event and its tickets are then counted once for
-- all of them, and not once for each. Only where the sum is more than what is left is each looked at by itself.
create or replace function hold_inventory(the_account bigint, the_event bigint, requests jsonb, until timestamptz)
returns table (n integer, refused text, refused_item integer, hold_ids bigint[]) language plpgsql as $$
declare
  request jsonb;
  item record;
  hold bigint;
begin
  if jsonb_array_length(requests) > 1 and not exists (
    select from jsonb_array_elements(requests) as asked (items)
    left join lateral jsonb_array_elements(asked.items) as given (wanted) on true
    where given.wanted is null or jsonb_typeof(given.wanted -> 'standing_area_id') is distinct from 'null'
      or jsonb_array_length(given.wanted -> 'place_ids') > 0
  ) then
    begin
      for item in
        select given.ticket_id, given.takes_half_pairs, sum(given.quantity)::integer as quantity,
          sum(given.stock_quantity)::integer as stock_quantity
        from jsonb_array_elements(requests) as asked (items), jsonb_to_recordset(asked.items) as given (
          ticket_id bigint, quantity integer, stock_quantity integer, takes_half_pairs boolean)
        group by given.ticket_id, given.takes_half_pairs order by given.ticket_id
      loop
        if claim_inventory(the_account, the_event, item.ticket_id, item.quantity, null, '{}', until,
          item.takes_half_pairs, item.stock_quantity) is not null then
          raise exception using errcode = 'FY001', message = 'not all of it is left';
        end if;
      end loop;
      return query
        with given as materialized (
          select asked.n, wanted.position, nextval(pg_get_serial_sequence('holds', 'id')) as id, wanted.ticket_id,
            wanted.quantity, wanted.stock_quantity
          from jsonb_array_elements(requests) with ordinality as asked (items, n),
            rows from (jsonb_to_recordset(asked.items) as (ticket_id bigint, quantity integer, stock_quantity integer))
              with ordinality as wanted (ticket_id, quantity, stock_quantity, position)
        ),
        made as (
          insert into holds (account_id, event_id, id, ticket_id, quantity, stock_quantity, expires_at)
          select the_account, the_event, given.id, given.ticket_id, given.quantity, given.stock_quantity, until from given
        )
        select given.n::integer - 1, null::text, null::integer, array_agg(given.id order by given.position)
        from given group by given.n;
      return;
    exception when sqlstate 'FY001' then
      -- What was claimed of it is given back with everything else that was done since the block began.
    end;
  end if;

  for request, n in select value, ordinality from jsonb_array_elements(requests) with ordinality loop
    refused := null;
    refused_item := null;
    hold_ids := '{}';
    begin
      for item in
        select given.* from rows from (jsonb_to_recordset(request) as (
          ticket_id bigint, quantity integer, stock_quantity integer, standing_area_id bigint, place_ids bigint[],
          takes_half_pairs boolean
        )) with ordinality as given (ticket_id, quantity, stock_quantity, standing_area_id, place_ids, takes_half_pairs,
          position)
        order by position
      loop
        refused := claim_inventory(the_account, the_event, item.ticket_id, item.quantity, item.standing_area_id,
          item.place_ids, until, item.takes_half_pairs, item.stock_quantity);
        if refused is not null then
          refused_item := item.position - 1;
          raise exception using errcode = 'FY001', message = 'not all of it is left';
        end if;
        insert into holds (account_id, event_id, ticket_id, standing_area_id, quantity, stock_quantity, expires_at)
        values (the_account, the_event, item.ticket_id, item.standing_area_id, item.quantity, item.stock_quantity, until)
        returning id into hold;
        insert into held_places (account_id, event_id, hold_id, place_id)
        select the_account, the_event, hold, place_id from unnest(item.place_ids) as place_id;
        hold_ids := hold_ids || hold;
      end loop;
    exception when sqlstate 'FY001' then
      hold_ids := '{}';
    end;
    n := n - 1;
    return next;
  end loop;
end
$$;

-- Takes ready jobs of a lane, one of each account after the other, beginning with the account after the one that was
-- served last, and then again one of each, until there are as many as were asked for or no account may have more. How
-- many an account has running already is told by the worker. It hops through the index from account to account, so its
-- cost does not grow with how much an account has brought. Whoever chooses is alone in the lane for that moment, so that
-- two processes never choose the same serial key.
drop function claim_lane_jobs(text, text, bigint, bigint[], integer);
create function claim_lane_jobs(
  chosen_lane text, worker text, served_last bigint, accounts bigint[], counts integer[], per_account integer, most integer
) returns setof lane_jobs language plpgsql
-- A plan that was made while the lanes were empty serves when they are full.
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  next_account bigint;
  has_wrapped boolean;
  has_claimed boolean;
  place integer;
  free_key text;
  claimed lane_jobs;
begin
  perform pg_advisory_xact_lock(hashtextextended('lane_jobs/' || chosen_lane, 0));
  update lane_jobs set state = 'ready'
  where lane = chosen_lane and state = 'later' and run_at <= clock_timestamp();

  loop
    next_account := served_last;
    has_wrapped := false;
    has_claimed := false;
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
      place := array_position(accounts, next_account);
      continue when counts[place] >= per_account;

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
      if place is null then
        accounts := accounts || next_account;
        counts := counts || 1;
      else
        counts[place] := counts[place] + 1;
      end if;
      most := most - 1;
      has_claimed := true;
      return next claimed;
    end loop;
    exit when not has_claimed or most <= 0;
  end loop;
end
$$;
