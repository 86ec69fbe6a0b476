-- How many units of an item have come back, and what all that came back is worth.
ALTER TABLE order_items ADD COLUMN returned BIGINT NOT NULL DEFAULT 0 CHECK (returned >= 0);
ALTER TABLE orders ADD COLUMN returned_total BIGINT NOT NULL DEFAULT 0 CHECK (returned_total >= 0);

-- Goods that came back. lines is JSON.
CREATE TABLE order_returns (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    order_id   TEXT COLLATE "C" NOT NULL,
    lines      TEXT NOT NULL,
    shipping   BIGINT NOT NULL CHECK (shipping >= 0),
    amount     BIGINT NOT NULL CHECK (amount >= 0),
    refund     BIGINT NOT NULL CHECK (refund >= 0 AND refund <= amount),
    reason     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE INDEX order_returns_by_order ON order_returns (account_id, order_id, id);
