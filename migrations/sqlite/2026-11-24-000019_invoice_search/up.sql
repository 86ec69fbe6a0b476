-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.

-- The version of an invoice that its facts are of. Those of another one are of a row from before, or of a release that does
-- not know the column: they are made anew in the background.
ALTER TABLE invoices ADD COLUMN facts_version INTEGER NOT NULL DEFAULT 0;
CREATE INDEX invoices_facts_outdated ON invoices (account_id, id) WHERE facts_version <> version;

-- What follows from the drafts of invoices. Beside them, since they change several times until they are stamped, and their
-- drafts do not.
CREATE TABLE invoice_facts (
    account_id       TEXT NOT NULL,
    id               TEXT NOT NULL,
    search_text      TEXT NOT NULL,
    subtotal         INTEGER NOT NULL,
    discount         INTEGER NOT NULL,
    transferred_iva  INTEGER NOT NULL,
    transferred_ieps INTEGER NOT NULL,
    withheld_isr     INTEGER NOT NULL,
    withheld_iva     INTEGER NOT NULL,
    withheld_ieps    INTEGER NOT NULL,
    local_charged    INTEGER NOT NULL,
    local_withheld   INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER invoice_facts_search_insert AFTER INSERT ON invoice_facts BEGIN
    INSERT INTO search_rows (account_id, id) VALUES (new.account_id, new.id);
    INSERT INTO search_index (rowid, terms) VALUES (last_insert_rowid(), 'i' || substr(new.account_id, -10) || replace(new.search_text, ' ', ' i' || substr(new.account_id, -10)));
END;
CREATE TRIGGER invoice_facts_search_update AFTER UPDATE OF search_text ON invoice_facts
WHEN new.search_text <> old.search_text BEGIN
    INSERT OR REPLACE INTO search_index (rowid, terms) VALUES ((SELECT number FROM search_rows WHERE account_id = new.account_id AND id = new.id), 'i' || substr(new.account_id, -10) || replace(new.search_text, ' ', ' i' || substr(new.account_id, -10)));
END;
CREATE TRIGGER invoice_facts_search_delete AFTER DELETE ON invoice_facts BEGIN
    DELETE FROM search_index WHERE rowid = (SELECT number FROM search_rows WHERE account_id = old.account_id AND id = old.id);
    DELETE FROM search_rows WHERE account_id = old.account_id AND id = old.id;
END;

-- Sums of invoices are read from these indexes and from invoice_facts: the rows themselves are wide.
DROP INDEX invoices_by_status;
CREATE INDEX invoices_by_status ON invoices (account_id, status, id, stamped_at, kind, currency, total, balance, issuer_id, branch_id, series, receiver_rfc, cancellation_status);
DROP INDEX invoices_by_stamp;
CREATE INDEX invoices_by_stamp ON invoices (account_id, stamped_at, id, status, kind, currency, total, balance, issuer_id, branch_id, series, receiver_rfc, cancellation_status) WHERE stamped_at IS NOT NULL;
