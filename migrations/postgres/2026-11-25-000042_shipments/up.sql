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
ALTER TABLE order_items ADD COLUMN removed BIGINT NOT NULL DEFAULT 0 CHECK (removed >= 0);
