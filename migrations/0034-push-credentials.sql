-- A browser is told for as long as the credential that signed it up opens anything. Of those that stand here nobody
-- knows which one that was: they go, and each signs itself up anew when its console is opened. They are not deleted row by
-- row, which an account that has moved to another server would refuse.
truncate push_subscriptions;
alter table push_subscriptions add column credential_id bigint not null,
  add constraint a_subscription_follows_its_credential foreign key (account_id, credential_id)
    references credentials (account_id, id) on delete cascade;
create index push_subscriptions_by_credential on push_subscriptions (account_id, credential_id);
