-- Goods that came from suppliers. lines is JSON, units how many all of them have.
CREATE TABLE stock_receipts (
    account_id   TEXT NOT NULL,
    id           TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('received', 'cancelled')),
    supplier     TEXT,
    reference    TEXT,
    note         TEXT,
    received_at  INTEGER,
    lines        TEXT NOT NULL,
    units        INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    cancelled_at INTEGER,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

-- Every change of what a unit has cost on average, in millionths. on_hand is how many there were just before.
CREATE TABLE cost_changes (
    account_id  TEXT NOT NULL,
    id          TEXT NOT NULL,
    product_id  TEXT NOT NULL,
    variant_id  TEXT NOT NULL,
    reason      TEXT NOT NULL CHECK (reason IN ('receipt', 'receipt_cancelled', 'revaluation')),
    reference   TEXT,
    on_hand     INTEGER NOT NULL,
    cost_before INTEGER CHECK (cost_before >= 0),
    cost_after  INTEGER CHECK (cost_after >= 0),
    currency    TEXT NOT NULL,
    note        TEXT,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX cost_changes_by_product ON cost_changes (account_id, product_id, variant_id, id);
