-- What is sold has a tax rate in hundredths of a percent, which its price includes.
alter table tickets add column tax_rate integer not null default 0,
  add constraint a_tax_rate_is_a_percentage check (tax_rate between 0 and 10000);
alter table voucher_products add column tax_rate integer not null default 0,
  add constraint a_tax_rate_of_a_voucher_is_a_percentage check (tax_rate between 0 and 10000);

-- A group takes one of its ticket's stock and its size of everything else. Of the admissions of a group the first one
-- stands for what was taken of the stock.
alter table holds add column stock_quantity integer;
update holds set stock_quantity = quantity;
alter table holds alter column stock_quantity set not null,
  add constraint a_hold_takes_stock check (stock_quantity between 1 and quantity);
alter table admissions add column stock_quantity integer not null default 1,
  add column group_number integer,
  add column price_cents bigint not null default 0,
  add column tax_rate integer not null default 0,
  add constraint an_admission_takes_one_of_the_stock_or_none check (stock_quantity in (0, 1)),
  add constraint only_groups_share_their_stock check (stock_quantity = 1 or group_number is not null),
  add constraint a_price_paid_is_not_negative check (price_cents >= 0),
  add constraint a_tax_rate_paid_is_a_percentage check (tax_rate between 0 and 10000);

-- Takes all that is asked for and answers null, or takes nothing and answers with what was short. Everybody who
-- changes what an event has left locks in this order: event, ticket, area, places by ID. A statement of its own for
-- each of them sees what was committed while it waited for the one before: what a ticket is counted by, and which areas
-- it opens, may have been edited since it was asked for. What was sold elsewhere is taken as it was sold.
drop function claim_inventory(bigint, bigint, bigint, integer, bigint, bigint[], timestamptz, boolean);
create function claim_inventory(
  the_account bigint, the_event bigint, the_ticket bigint, quantity integer, the_area bigint, the_places bigint[],
  until timestamptz, takes_half_pairs boolean, stock_quantity integer
) returns text language plpgsql as $$
declare
  refused text;
begin
  update events e set claimed_count = e.claimed_count + quantity
  where e.account_id = the_account and e.id = the_event and (e.capacity is null or e.claimed_count + quantity <= e.capacity);
  if not found then
    return 'event';
  end if;

  update tickets t set claimed_count = t.claimed_count + stock_quantity
  where t.account_id = the_account and t.event_id = the_event and t.id = the_ticket
    and (t.stock is null or t.claimed_count + stock_quantity <= t.stock)
    and (takes_half_pairs or t.inventory_kind = case
      when the_area is not null then 'standing' when cardinality(the_places) > 0 then 'places' else 'ga' end);
  if not found then
    update events e set claimed_count = e.claimed_count - quantity where e.account_id = the_account and e.id = the_event;
    return 'ticket';
  end if;

  if the_area is not null then
    update standing_areas a set claimed_count = a.claimed_count + quantity
    where a.account_id = the_account and a.event_id = the_event and a.id = the_area
      and a.claimed_count + a.blocked_count + quantity <= a.capacity
      and (takes_half_pairs or exists (
        select from standing_area_tickets o
        where o.account_id = the_account and o.standing_area_id = the_area and o.ticket_id = the_ticket
      ));
    if not found then
      refused := 'area';
    end if;
  end if;

  if refused is null and cardinality(the_places) > 0 then
    perform from places p
    where p.account_id = the_account and p.event_id = the_event and p.id = any (the_places)
    order by p.id for no key update;

    update places p set claimed_until = until
    where p.account_id = the_account and p.id = any (the_places) and cardinality(the_places) = (
      select count(*) from places f
      where f.account_id = the_account and f.event_id = the_event and f.id = any (the_places)
        and f.ticket_id = the_ticket and f.claimed_until is null and f.blocked_at is null
        and (takes_half_pairs or f.pair_place_id is null or f.pair_place_id = any (the_places))
    );
    if not found then
      refused := 'places';
      update standing_areas a set claimed_count = a.claimed_count - quantity
      where a.account_id = the_account and a.id = the_area;
    end if;
  end if;

  if refused is not null then
    update events e set claimed_count = e.claimed_count - quantity where e.account_id = the_account and e.id = the_event;
    update tickets t set claimed_count = t.claimed_count - stock_quantity
    where t.account_id = the_account and t.id = the_ticket;
  end if;
  return refused;
end
$$;

-- Holds for several buyers of one event, in their order: each gets all that it asks for, or nothing and is told what was
-- short of which item. A request is a list of items (ticket_id, quantity, stock_quantity, standing_area_id, place_ids,
-- takes_half_pairs).
create function hold_inventory(the_account bigint, the_event bigint, requests jsonb, until timestamptz)
returns table (n integer, refused text, refused_item integer, hold_ids bigint[]) language plpgsql as $$
declare
  request jsonb;
  item record;
  hold bigint;
begin
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

-- A purchase under way. Its token is the secret of its address, found by its digest; sealed, because it is mailed.
-- Once there is an order, that says what becomes of the purchase.
create table checkouts (
  account_id bigint not null,
  id bigint generated by default as identity,
  public_id text not null,
  token_digest bytea not null,
  token_sealed bytea not null,
  -- Null where vouchers are bought.
  event_id bigint,
  status text not null default 'open',
  -- Until when an open one keeps what it holds. While a payment is under way its holds last until that has ended.
  expires_at timestamptz not null,
  language text not null default 'en',
  -- Who asked for it, as digests: nobody may hold more than a few at once.
  address_digest bytea,
  access_codes text[] not null default '{}',
  customer_name text,
  customer_email text,
  customer_phone text,
  customer_company text,
  billing_street text,
  billing_postal_code text,
  billing_city text,
  billing_country text,
  billing_vat_id text,
  answers jsonb not null default '{}',
  -- Names and answers of the guests, in the order of the admissions.
  attendees jsonb not null default '[]',
  -- Vouchers that are bought have no order; these are theirs.
  purchase_code text,
  paid_at timestamptz,
  created_at timestamptz not null default foyer_now(),
  updated_at timestamptz not null default foyer_now(),
  constraint checkouts_are_known_by_id primary key (account_id, id),
  constraint a_public_id_names_one_checkout unique (account_id, public_id),
  constraint a_token_opens_one_checkout unique (account_id, token_digest),
  constraint a_checkout_belongs_to_an_account foreign key (account_id) references accounts (id) on delete cascade,
  constraint a_checkout_buys_for_an_event foreign key (account_id, event_id) references events (account_id, id),
  constraint a_checkout_has_a_known_status check (status in ('open', 'pending', 'paid', 'expired', 'cancelled')),
  constraint a_paid_checkout_says_when check ((status = 'paid') = (paid_at is not null)),
  constraint answers_of_a_checkout_are_a_map check (jsonb_typeof(answers) = 'object'),
  constraint attendees_of_a_checkout_are_a_list check (jsonb_typeof(attendees) = 'array'),
  constraint a_country_of_a_checkout_is_two_capitals check (billing_country ~ '^[A-Z]{2}$'),
  constraint a_purchase_code_is_for_vouchers check (purchase_code is null or event_id is null)
) with (fillfactor = 85);
create index open_checkouts_by_expiry on checkouts (expires_at) where status = 'open';
create index checkouts_by_event on checkouts (account_id, event_id, id) where event_id is not null;
create index held_checkouts_by_address on checkouts (account_id, address_digest) where status in ('open', 'pending');
create trigger touch before update on checkouts for each row execute function touch_updated_at();

-- One kind of ticket in a checkout, at the price it had when it was taken. A group is one of the quantity.
create table checkout_items (
  account_id bigint not null,
  checkout_id bigint not null,
  position integer not null,
  event_id bigint not null,
  ticket_id bigint not null,
  title text not null,
  quantity integer not null,
  admissions_each integer not null default 1,
  unit_price_cents bigint not null,
  tax_rate integer not null,
  standing_area_id bigint,
  place_ids bigint[] not null default '{}',
  -- Gone when its time was over, or when it became an order.
  hold_id bigint,
  constraint items_are_numbered_in_their_checkout primary key (account_id, checkout_id, position),
  constraint an_item_belongs_to_a_checkout foreign key (account_id, checkout_id)
    references checkouts (account_id, id) on delete cascade,
  constraint an_item_is_of_a_ticket foreign key (account_id, event_id, ticket_id)
    references tickets (account_id, event_id, id) on delete cascade,
  constraint an_item_stands_at_the_event foreign key (account_id, event_id, standing_area_id)
    references standing_areas (account_id, event_id, id) on delete set null (standing_area_id),
  constraint an_item_is_held foreign key (account_id, event_id, hold_id)
    references holds (account_id, event_id, id) on delete set null (hold_id),
  constraint an_item_is_of_one_or_more check (quantity >= 1 and admissions_each >= 1),
  constraint an_item_price_is_not_negative check (unit_price_cents >= 0),
  constraint an_item_tax_rate_is_a_percentage check (tax_rate between 0 and 10000)
);
create index checkout_items_by_ticket on checkout_items (account_id, event_id, ticket_id);
create index checkout_items_by_standing_area on checkout_items (account_id, event_id, standing_area_id)
  where standing_area_id is not null;
create index checkout_items_by_hold on checkout_items (account_id, event_id, hold_id) where hold_id is not null;

-- A gift voucher in a checkout; each of its quantity is a voucher of its own.
create table checkout_voucher_items (
  account_id bigint not null,
  checkout_id bigint not null,
  position integer not null,
  product_id bigint not null,
  title text not null,
  -- What one is worth, and what one costs.
  amount_cents bigint not null,
  unit_price_cents bigint not null,
  tax_rate integer not null,
  quantity integer not null,
  recipient_name text,
  recipient_email text,
  message text,
  deliver_on date,
  delivery_time_zone text,
  constraint voucher_items_are_numbered_in_their_checkout primary key (account_id, checkout_id, position),
  constraint a_voucher_item_belongs_to_a_checkout foreign key (account_id, checkout_id)
    references checkouts (account_id, id) on delete cascade,
  constraint a_voucher_item_is_of_a_product foreign key (account_id, product_id)
    references voucher_products (account_id, id),
  constraint a_voucher_item_is_of_one_or_more check (quantity >= 1),
  constraint a_voucher_item_is_worth_something check (amount_cents > 0 and unit_price_cents > 0),
  constraint a_voucher_item_tax_rate_is_a_percentage check (tax_rate between 0 and 10000),
  constraint a_recipient_has_an_address check (recipient_email is null or recipient_name is not null)
);
create index checkout_voucher_items_by_product on checkout_voucher_items (account_id, product_id);

-- Which vouchers a purchase issued: what is refunded is taken back from them.
alter table voucher_purchases add column checkout_id bigint,
  add constraint a_voucher_is_bought_by_a_checkout foreign key (account_id, checkout_id)
    references checkouts (account_id, id);
create index voucher_purchases_by_checkout on voucher_purchases (account_id, checkout_id) where checkout_id is not null;

alter table payments add constraint a_payment_is_for_a_checkout foreign key (account_id, payable_id)
  references checkouts (account_id, id);

-- A shop order is what a checkout became. Of its total the vouchers' share is spent when it is written; money that is
-- given back counts from the moment it is promised.
alter table orders add column checkout_id bigint,
  add column voucher_cents bigint not null default 0,
  add column refunded_cents bigint not null default 0,
  add column refunded_voucher_cents bigint not null default 0,
  -- Until when an order that is not paid yet keeps its tickets, and when its buyer was reminded of that.
  add column payment_due_at timestamptz,
  add column reminded_at timestamptz,
  add column cancelled_at timestamptz,
  add constraint an_order_comes_from_a_checkout foreign key (account_id, checkout_id)
    references checkouts (account_id, id),
  add constraint vouchers_pay_at_most_the_total check (voucher_cents between 0 and total_cents),
  add constraint never_more_of_an_order_is_refunded_than_it_cost check (refunded_cents between 0 and total_cents),
  add constraint vouchers_get_back_what_they_paid
    check (refunded_voucher_cents between 0 and least(voucher_cents, refunded_cents));
create unique index a_checkout_becomes_one_order on orders (account_id, checkout_id) where checkout_id is not null;
create index shop_orders_by_event on orders (account_id, event_id, id) where origin = 'shop';
create index unpaid_orders_by_due_date on orders (payment_due_at) where status = 'unpaid' and payment_due_at is not null;

create table order_refunds (
  account_id bigint not null,
  id bigint generated by default as identity,
  public_id text not null,
  checkout_id bigint not null,
  -- Null where vouchers were bought.
  order_id bigint,
  amount_cents bigint not null,
  voucher_cents bigint not null,
  payment_cents bigint not null,
  reason text,
  actor text,
  created_at timestamptz not null default foyer_now(),
  constraint order_refunds_are_known_by_id primary key (account_id, id),
  constraint a_public_id_names_one_order_refund unique (account_id, public_id),
  constraint a_refund_is_of_a_checkout foreign key (account_id, checkout_id) references checkouts (account_id, id),
  constraint a_refund_belongs_to_an_order foreign key (account_id, order_id) references orders (account_id, id),
  constraint a_refund_of_an_order_takes_no_money check (voucher_cents >= 0 and payment_cents >= 0),
  constraint a_refund_goes_to_vouchers_and_payments check (amount_cents = voucher_cents + payment_cents),
  constraint a_refund_of_an_order_has_a_short_reason check (char_length(reason) <= 500)
);
create index order_refunds_by_order on order_refunds (account_id, order_id) where order_id is not null;
create index order_refunds_by_checkout on order_refunds (account_id, checkout_id);
alter table admissions add column refund_id bigint,
  add constraint an_admission_is_refunded_once foreign key (account_id, refund_id)
    references order_refunds (account_id, id);
create index admissions_by_refund on admissions (account_id, refund_id) where refund_id is not null;

-- Receipts are numbered without a gap, for each account by itself, and never change: they are the books.
create table receipt_counters (
  account_id bigint not null,
  last_number bigint not null default 0,
  constraint an_account_counts_its_receipts primary key (account_id),
  constraint receipt_counters_belong_to_an_account foreign key (account_id) references accounts (id) on delete cascade
);
create table receipts (
  account_id bigint not null,
  number bigint not null,
  kind text not null,
  checkout_id bigint not null,
  refund_id bigint,
  -- What was bought, by item, and the same by tax rate; negative where it is given back.
  lines jsonb not null,
  tax_lines jsonb not null,
  total_cents bigint not null,
  -- How much of it was paid with vouchers.
  voucher_cents bigint not null default 0,
  currency text not null,
  recipient jsonb not null,
  language text not null default 'en',
  issued_at timestamptz not null default foyer_now(),
  constraint receipts_are_numbered primary key (account_id, number),
  constraint a_receipt_is_for_a_checkout foreign key (account_id, checkout_id) references checkouts (account_id, id),
  constraint a_receipt_tells_of_a_refund foreign key (account_id, refund_id) references order_refunds (account_id, id),
  constraint a_receipt_is_for_a_sale_or_a_refund check (kind in ('sale', 'refund')),
  constraint a_refund_has_the_other_sign check (case kind when 'sale' then total_cents >= 0 else total_cents <= 0 end),
  constraint lines_of_a_receipt_are_lists check (jsonb_typeof(lines) = 'array' and jsonb_typeof(tax_lines) = 'array')
);
create unique index a_sale_has_one_receipt on receipts (account_id, checkout_id) where kind = 'sale';
create index receipts_by_checkout on receipts (account_id, checkout_id);
create unique index a_refund_has_one_receipt on receipts (account_id, refund_id) where refund_id is not null;
create index receipts_by_day on receipts (account_id, issued_at);
create function keep_receipts() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'check_violation', constraint = 'a_receipt_never_changes',
    message = 'a receipt never changes';
end
$$;
create trigger a_receipt_never_changes before update or delete on receipts
  for each row execute function keep_receipts();

create index voucher_reservations_by_checkout on voucher_reservations (account_id, checkout)
  where released_at is null;
