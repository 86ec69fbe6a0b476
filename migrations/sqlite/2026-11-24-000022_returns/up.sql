-- How many units of an item have come back, and what all that came back is worth.
ALTER TABLE order_items ADD COLUMN returned INTEGER NOT NULL DEFAULT 0 CHECK (returned >= 0);
ALTER TABLE orders ADD COLUMN returned_total INTEGER NOT NULL DEFAULT 0 CHECK (returned_total >= 0);

-- Goods that came back. lines is JSON.
CREATE TABLE order_returns (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    order_id   TEXT NOT NULL,
    lines      TEXT NOT NULL,
    shipping   INTEGER NOT NULL CHECK (shipping >= 0),
    amount     INTEGER NOT NULL CHECK (amount >= 0),
    refund     INTEGER NOT NULL CHECK (refund >= 0 AND refund <= amount),
    reason     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT;

CREATE INDEX order_returns_by_order ON order_returns (account_id, order_id, id);
