-- Goods of orders that left a warehouse together.
CREATE TABLE shipments (
    account_id      TEXT NOT NULL,
    id              TEXT NOT NULL,
    order_id        TEXT NOT NULL,
    warehouse_id    TEXT NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('shipped', 'delivered', 'cancelled')),
    carrier         TEXT,
    tracking_number TEXT,
    tracking_url    TEXT,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    delivered_at    INTEGER,
    cancelled_at    INTEGER,
    version         INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX shipments_by_order ON shipments (account_id, order_id, id);

CREATE TABLE shipment_items (
    account_id  TEXT NOT NULL,
    shipment_id TEXT NOT NULL,
    line        INTEGER NOT NULL,
    quantity    INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (account_id, shipment_id, line)
) STRICT, WITHOUT ROWID;

-- How many units of the item were taken off the order before they were shipped; they are among those that were returned.
ALTER TABLE order_items ADD COLUMN removed INTEGER NOT NULL DEFAULT 0 CHECK (removed >= 0);

-- Of open orders nothing has been shipped so far, so all that was returned was taken off them. No release has kept returns without
-- this column: there are only those of databases between releases.
UPDATE order_items SET removed = returned
    WHERE returned > 0 AND (account_id, order_id) IN (SELECT r.account_id, r.order_id FROM order_returns r
        JOIN orders o ON o.account_id = r.account_id AND o.id = r.order_id WHERE o.status IN ('pending', 'paid'));
