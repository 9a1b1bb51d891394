-- The language that somebody read when they signed up, bought or asked: what is written to them later is in it. Null
-- where nobody knows; then it is the account's.
alter table orders add column language text,
  add constraint an_order_speaks_a_known_language check (language in ('en', 'de'));
alter table signup_requests add column language text,
  add constraint a_signup_speaks_a_known_language check (language in ('en', 'de'));
alter table voucher_purchases add column language text,
  add constraint a_purchase_speaks_a_known_language check (language in ('en', 'de'));
alter table sign_in_links add column language text,
  add constraint a_sign_in_link_speaks_a_known_language check (language in ('en', 'de'));
