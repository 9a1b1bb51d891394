-- The months of the ledger are added up from the newest entry back to where the first of them begins.
create index voucher_entries_by_time on voucher_entries (account_id, created_at);
