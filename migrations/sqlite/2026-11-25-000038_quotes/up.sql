-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Quotes: one row for each revision, root_id the first one. expires_at is the end of valid_until in the zone of its
-- account; details is JSON.
CREATE TABLE quotes (
    account_id      TEXT NOT NULL,
    id              TEXT NOT NULL,
    root_id         TEXT NOT NULL,
    number          INTEGER NOT NULL CHECK (number > 0),
    revision        INTEGER NOT NULL CHECK (revision > 0),
    status          TEXT NOT NULL
        CHECK (status IN ('draft', 'sent', 'accepted', 'rejected', 'expired', 'ordered', 'superseded')),
    customer_id     TEXT NOT NULL,
    deal_id         TEXT,
    order_id        TEXT,
    payment_link_id TEXT,
    valid_until     TEXT NOT NULL,
    expires_at      INTEGER NOT NULL,
    details         TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    version         INTEGER NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK ((status = 'ordered') = (order_id IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX quotes_by_root ON quotes (account_id, root_id, revision);
CREATE UNIQUE INDEX quotes_by_number ON quotes (account_id, number, revision);
CREATE INDEX quotes_by_status ON quotes (account_id, status, expires_at);
CREATE INDEX quotes_by_customer ON quotes (account_id, customer_id, id);
CREATE INDEX quotes_by_deal ON quotes (account_id, deal_id, id) WHERE deal_id IS NOT NULL;
CREATE UNIQUE INDEX quotes_by_order ON quotes (account_id, order_id) WHERE order_id IS NOT NULL;

-- What the holders of links have asked; quote_id is the revision that they saw.
CREATE TABLE quote_questions (
    account_id TEXT NOT NULL,
    root_id    TEXT NOT NULL,
    id         TEXT NOT NULL,
    quote_id   TEXT NOT NULL,
    name       TEXT,
    email      TEXT,
    question   TEXT NOT NULL,
    asked_at   INTEGER NOT NULL,
    PRIMARY KEY (account_id, root_id, id)
) STRICT, WITHOUT ROWID;
