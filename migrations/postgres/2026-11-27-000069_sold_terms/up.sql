-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Which rules the terms of invoices were made by: they are found by what is sold, too, and rows of older rules are made anew in
-- the background.
ALTER TABLE invoice_facts ADD COLUMN search_version BIGINT NOT NULL DEFAULT 0;
CREATE INDEX invoice_facts_search_outdated ON invoice_facts (account_id, id) WHERE search_version < 1;
