-- The version of an invoice that its facts are of. Those of another one are of a row from before, or of a release that does
-- not know the column: they are made anew in the background.
ALTER TABLE invoices ADD COLUMN facts_version BIGINT NOT NULL DEFAULT 0;
CREATE INDEX invoices_facts_outdated ON invoices (account_id, id) WHERE facts_version <> version;

-- What follows from the drafts of invoices. Beside them, since they change several times until they are stamped, and their
-- drafts do not.
CREATE TABLE invoice_facts (
    account_id       TEXT COLLATE "C" NOT NULL,
    id               TEXT COLLATE "C" NOT NULL,
    search_text      TEXT NOT NULL,
    subtotal         BIGINT NOT NULL,
    discount         BIGINT NOT NULL,
    transferred_iva  BIGINT NOT NULL,
    transferred_ieps BIGINT NOT NULL,
    withheld_isr     BIGINT NOT NULL,
    withheld_iva     BIGINT NOT NULL,
    withheld_ieps    BIGINT NOT NULL,
    local_charged    BIGINT NOT NULL,
    local_withheld   BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX invoice_facts_by_term ON invoice_facts USING gin (search_terms(account_id, search_text));

-- Sums of invoices are read from these indexes and from invoice_facts: the rows themselves are wide.
DROP INDEX invoices_by_status;
CREATE INDEX invoices_by_status ON invoices (account_id, status, id) INCLUDE (stamped_at, kind, currency, total, balance, issuer_id, branch_id, series, receiver_rfc, cancellation_status);
DROP INDEX invoices_by_stamp;
CREATE INDEX invoices_by_stamp ON invoices (account_id, stamped_at, id) INCLUDE (status, kind, currency, total, balance, issuer_id, branch_id, series, receiver_rfc, cancellation_status) WHERE stamped_at IS NOT NULL;
