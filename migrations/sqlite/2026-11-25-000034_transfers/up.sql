-- Goods on their way from one warehouse to another.
CREATE TABLE transfers (
    account_id    TEXT NOT NULL,
    id            TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('draft', 'in_transit', 'received', 'cancelled')),
    from_id       TEXT NOT NULL,
    to_id         TEXT NOT NULL,
    quarantine_id TEXT,
    reference     TEXT,
    note          TEXT,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    dispatched_at INTEGER,
    received_at   INTEGER,
    cancelled_at  INTEGER,
    version       INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX transfers_open ON transfers (account_id, id) WHERE status IN ('draft', 'in_transit');

-- Once it was sent, quantity is received + damaged + lost + returned + in_transit, at every moment.
CREATE TABLE transfer_lines (
    account_id  TEXT NOT NULL,
    transfer_id TEXT NOT NULL,
    line        INTEGER NOT NULL,
    product_id  TEXT NOT NULL,
    variant_id  TEXT NOT NULL,
    to_id       TEXT NOT NULL,
    quantity    INTEGER NOT NULL CHECK (quantity > 0),
    received    INTEGER NOT NULL CHECK (received >= 0),
    damaged     INTEGER NOT NULL CHECK (damaged >= 0),
    lost        INTEGER NOT NULL CHECK (lost >= 0),
    found       INTEGER NOT NULL CHECK (found >= 0),
    returned    INTEGER NOT NULL CHECK (returned >= 0),
    in_transit  INTEGER NOT NULL CHECK (in_transit >= 0),
    PRIMARY KEY (account_id, transfer_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX transfer_lines_incoming ON transfer_lines (account_id, product_id, variant_id) WHERE in_transit > 0;

-- What was received of a transfer at once. lines is JSON.
CREATE TABLE transfer_arrivals (
    account_id  TEXT NOT NULL,
    transfer_id TEXT NOT NULL,
    id          TEXT NOT NULL,
    is_final    INTEGER NOT NULL,
    lines       TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (account_id, transfer_id, id)
) STRICT, WITHOUT ROWID;
