-- Certificates of withheld taxes. draft, document, stamp, cancellation and last_error are JSON; receivers abroad have no
-- RFC.
CREATE TABLE withholdings (
    account_id   TEXT NOT NULL,
    id           TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('draft', 'stamping', 'stamped', 'cancelled')),
    code         TEXT NOT NULL,
    year         INTEGER NOT NULL,
    issuer_id    TEXT NOT NULL,
    customer_id  TEXT,
    receiver_rfc TEXT,
    uuid         TEXT,
    draft        TEXT NOT NULL,
    document     TEXT NOT NULL,
    stamp        TEXT,
    cancellation TEXT,
    last_error   TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK ((status IN ('stamped', 'cancelled')) = (uuid IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX withholdings_by_uuid ON withholdings (account_id, uuid) WHERE uuid IS NOT NULL;
CREATE INDEX withholdings_by_status ON withholdings (account_id, status, id);
CREATE INDEX withholdings_by_code ON withholdings (account_id, code, id);
CREATE INDEX withholdings_by_year ON withholdings (account_id, year, id);
CREATE INDEX withholdings_by_issuer ON withholdings (account_id, issuer_id, id);
CREATE INDEX withholdings_by_customer ON withholdings (account_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX withholdings_by_receiver ON withholdings (account_id, receiver_rfc, id) WHERE receiver_rfc IS NOT NULL;
CREATE INDEX withholdings_by_change ON withholdings (account_id, updated_at, id);

-- What a withholding was sealed, stamped and cancelled as. There while it is stamped, and from then on.
CREATE TABLE withholding_papers (
    account_id         TEXT NOT NULL,
    withholding_id     TEXT NOT NULL,
    certificate_number TEXT NOT NULL,
    seal               TEXT NOT NULL,
    sealed_xml         TEXT NOT NULL,
    stamped_xml        TEXT,
    cancel_request     TEXT,
    receipt            TEXT,
    PRIMARY KEY (account_id, withholding_id)
) STRICT;

-- Nothing numbers withholdings: two of the same contents and second are one document to a provider.
CREATE UNIQUE INDEX withholding_papers_by_seal ON withholding_papers (account_id, seal);

-- What credits were spent on, beside invoices.
ALTER TABLE credit_entries ADD COLUMN withholding_id TEXT;
CREATE INDEX credit_entries_by_withholding ON credit_entries (account_id, withholding_id, id) WHERE withholding_id IS NOT NULL;
