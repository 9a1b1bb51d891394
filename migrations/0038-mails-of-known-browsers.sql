-- In which browser of the person a link was asked for, if they have signed in there before; its mails are counted by
-- themselves, so that nobody can use them up from elsewhere.
alter table sign_in_links add column browser text;
