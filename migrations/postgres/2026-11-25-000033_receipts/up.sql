-- Goods that came from suppliers. lines is JSON, units how many all of them have.
CREATE TABLE stock_receipts (
    account_id   TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('received', 'cancelled')),
    supplier     TEXT,
    reference    TEXT,
    note         TEXT,
    received_at  BIGINT,
    lines        TEXT NOT NULL,
    units        BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    cancelled_at BIGINT,
    PRIMARY KEY (account_id, id)
);

-- Every change of what a unit has cost on average, in millionths. on_hand is how many there were just before.
CREATE TABLE cost_changes (
    account_id  TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    product_id  TEXT COLLATE "C" NOT NULL,
    variant_id  TEXT COLLATE "C" NOT NULL,
    reason      TEXT NOT NULL CHECK (reason IN ('receipt', 'receipt_cancelled', 'revaluation')),
    reference   TEXT,
    on_hand     BIGINT NOT NULL,
    cost_before BIGINT CHECK (cost_before >= 0),
    cost_after  BIGINT CHECK (cost_after >= 0),
    currency    TEXT NOT NULL,
    note        TEXT,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX cost_changes_by_product ON cost_changes (account_id, product_id, variant_id, id);
