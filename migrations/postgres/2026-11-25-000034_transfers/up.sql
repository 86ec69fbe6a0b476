-- Goods on their way from one warehouse to another.
CREATE TABLE transfers (
    account_id    TEXT COLLATE "C" NOT NULL,
    id            TEXT COLLATE "C" NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('draft', 'in_transit', 'received', 'cancelled')),
    from_id       TEXT COLLATE "C" NOT NULL,
    to_id         TEXT COLLATE "C" NOT NULL,
    quarantine_id TEXT COLLATE "C",
    reference     TEXT,
    note          TEXT,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    dispatched_at BIGINT,
    received_at   BIGINT,
    cancelled_at  BIGINT,
    version       BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX transfers_open ON transfers (account_id, id) WHERE status IN ('draft', 'in_transit');

-- Once it was sent, quantity is received + damaged + lost + returned + in_transit, at every moment.
CREATE TABLE transfer_lines (
    account_id  TEXT COLLATE "C" NOT NULL,
    transfer_id TEXT COLLATE "C" NOT NULL,
    line        BIGINT NOT NULL,
    product_id  TEXT COLLATE "C" NOT NULL,
    variant_id  TEXT COLLATE "C" NOT NULL,
    to_id       TEXT COLLATE "C" NOT NULL,
    quantity    BIGINT NOT NULL CHECK (quantity > 0),
    received    BIGINT NOT NULL CHECK (received >= 0),
    damaged     BIGINT NOT NULL CHECK (damaged >= 0),
    lost        BIGINT NOT NULL CHECK (lost >= 0),
    found       BIGINT NOT NULL CHECK (found >= 0),
    returned    BIGINT NOT NULL CHECK (returned >= 0),
    in_transit  BIGINT NOT NULL CHECK (in_transit >= 0),
    PRIMARY KEY (account_id, transfer_id, line)
);
CREATE INDEX transfer_lines_incoming ON transfer_lines (account_id, product_id, variant_id) WHERE in_transit > 0;

-- What was received of a transfer at once. lines is JSON.
CREATE TABLE transfer_arrivals (
    account_id  TEXT COLLATE "C" NOT NULL,
    transfer_id TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    is_final    BOOLEAN NOT NULL,
    lines       TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id, transfer_id, id)
);
