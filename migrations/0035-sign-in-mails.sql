-- When it was decided that a link is mailed; null when none was, because nobody has the address or the hour had its mails.
alter table sign_in_links add column mailed_at timestamptz;

-- Anyone may ask for any number of links: those that were not mailed are not gone through to count the others.
drop index sign_in_links_by_address;
create index sign_in_links_by_address on sign_in_links (email, mailed_at);
