-- Goods of orders that left a warehouse together.
CREATE TABLE shipments (
    account_id      TEXT COLLATE "C" NOT NULL,
    id              TEXT COLLATE "C" NOT NULL,
    order_id        TEXT COLLATE "C" NOT NULL,
    warehouse_id    TEXT COLLATE "C" NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ('shipped', 'delivered', 'cancelled')),
    carrier         TEXT,
    tracking_number TEXT,
    tracking_url    TEXT,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    delivered_at    BIGINT,
    cancelled_at    BIGINT,
    version         BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX shipments_by_order ON shipments (account_id, order_id, id);

CREATE TABLE shipment_items (
    account_id  TEXT COLLATE "C" NOT NULL,
    shipment_id TEXT COLLATE "C" NOT NULL,
    line        BIGINT NOT NULL,
    quantity    BIGINT NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (account_id, shipment_id, line)
);

-- How many units of the item were taken off the order before they were shipped; they are among those that were returned.
ALTER TABLE order_items
    ADD COLUMN removed BIGINT NOT NULL DEFAULT 0,
    ADD CONSTRAINT order_items_removed_check CHECK (removed >= 0) NOT VALID;

-- Of open orders nothing has been shipped so far, so all that was returned was taken off them. No release has kept returns without
-- this column: there are only those of databases between releases, and they are found by their index.
UPDATE order_items i SET removed = i.returned
    FROM (SELECT DISTINCT r.account_id, r.order_id FROM order_returns r
        JOIN orders o ON o.account_id = r.account_id AND o.id = r.order_id WHERE o.status IN ('pending', 'paid')) t
    WHERE i.account_id = t.account_id AND i.order_id = t.order_id AND i.returned > 0;
