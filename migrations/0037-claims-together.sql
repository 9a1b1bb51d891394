-- Claims of several parties of one event, in their order: each gets all that it asks for, or nothing and is told what was
-- short. A claim is (n, ticket_id, quantity, standing_area_id, place_ids).
--
-- As for holds the sum is claimed first where nobody wants a place or an area: the event and its ticket are then counted
-- once for all of them. Only where the sum is more than what is left is each looked at by itself.
create function claim_inventories(the_account bigint, the_event bigint, claims jsonb)
returns table (n integer, refused text) language plpgsql as $$
declare
  claim record;
begin
  if jsonb_array_length(claims) > 1 and not exists (
    select from jsonb_array_elements(claims) as wanted
    where jsonb_typeof(wanted -> 'standing_area_id') <> 'null' or jsonb_array_length(wanted -> 'place_ids') > 0
  ) then
    begin
      for claim in
        select given.ticket_id, sum(given.quantity)::integer as quantity
        from jsonb_to_recordset(claims) as given (ticket_id bigint, quantity integer)
        group by given.ticket_id order by given.ticket_id
      loop
        if claim_inventory(the_account, the_event, claim.ticket_id, claim.quantity, null, '{}', 'infinity', false,
          claim.quantity) is not null then
          raise exception using errcode = 'FY001', message = 'not all of it is left';
        end if;
      end loop;
      return query select given.n, null::text from jsonb_to_recordset(claims) as given (n integer);
      return;
    exception when sqlstate 'FY001' then
      -- What was claimed of it is given back with everything else that was done since the block began.
    end;
  end if;

  for claim in
    select given.* from jsonb_to_recordset(claims) as given (
      n integer, ticket_id bigint, quantity integer, standing_area_id bigint, place_ids bigint[])
    order by given.n
  loop
    n := claim.n;
    refused := claim_inventory(the_account, the_event, claim.ticket_id, claim.quantity, claim.standing_area_id,
      claim.place_ids, 'infinity', false, claim.quantity);
    return next;
  end loop;
end
$$;
