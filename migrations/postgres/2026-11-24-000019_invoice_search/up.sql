-- The version of an invoice that its facts are of. Those of another one are of a row from before, or of a release that does
-- not know the column: they are made anew in the background.
ALTER TABLE invoices ADD COLUMN facts_version BIGINT NOT NULL DEFAULT 0;
CREATE INDEX invoices_facts_outdated ON invoices (account_id, id) WHERE facts_version <> version;

-- What follows from the drafts of invoices. Beside them, since they change several times until they are stamped, and their
-- drafts do not.
CREATE TABLE invoice_facts (
    account_id  TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    search_text TEXT NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX invoice_facts_by_term ON invoice_facts USING gin (search_terms(account_id, search_text));
