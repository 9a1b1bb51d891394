-- The programme of a shop says whether there are gift vouchers, so it is drawn anew when that changes.
create trigger announce_arrivals after insert on voucher_products
  referencing new table as changed for each statement execute function announce_changes();
create trigger announce_departures after delete on voucher_products
  referencing old table as changed for each statement execute function announce_changes();
create trigger announce_edit after update on voucher_products for each row
  when ((old.visibility, old.archived_at) is distinct from (new.visibility, new.archived_at))
  execute function announce_change();
