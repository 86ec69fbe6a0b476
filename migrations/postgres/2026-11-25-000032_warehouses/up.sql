-- The places that goods lie at. The first one of an account shares its number, and has a row once it was changed.
-- address is JSON.
CREATE TABLE warehouses (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    name       TEXT NOT NULL,
    address    TEXT,
    kind       TEXT NOT NULL CHECK (kind IN ('store', 'quarantine', 'transit')),
    priority   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

-- Indexes are built first: writers wait for them, readers do not.
CREATE INDEX stock_levels_by_warehouse ON stock_levels (account_id, warehouse_id, product_id, variant_id);
-- Without those of orders, each of which would pay for them.
CREATE INDEX stock_movements_by_product ON stock_movements (account_id, product_id, variant_id, id) WHERE reason NOT IN ('order', 'cancellation', 'shipment');
CREATE INDEX stock_movements_by_warehouse ON stock_movements (account_id, warehouse_id, reason, id) WHERE reason NOT IN ('order', 'cancellation', 'shipment');

-- quantity is what can be promised, committed what is promised and not shipped yet. In the first warehouse of the account,
-- elsewhere is the sum of what can be promised in its other ones, and average_cost what a unit has cost, in millionths.
ALTER TABLE stock_levels
    ADD COLUMN committed BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN sellable BOOLEAN NOT NULL DEFAULT TRUE,
    ADD COLUMN elsewhere BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN average_cost BIGINT,
    ADD CONSTRAINT stock_levels_committed_check CHECK (committed >= 0) NOT VALID,
    ADD CONSTRAINT stock_levels_elsewhere_check CHECK (elsewhere >= 0) NOT VALID,
    ADD CONSTRAINT stock_levels_average_cost_check CHECK (average_cost >= 0) NOT VALID;

ALTER TABLE stock_movements
    ADD COLUMN committed_delta BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN unit_cost BIGINT,
    ADD COLUMN note TEXT,
    ADD CONSTRAINT stock_movements_unit_cost_check CHECK (unit_cost >= 0) NOT VALID,
    DROP CONSTRAINT stock_movements_delta_check,
    ADD CONSTRAINT stock_movements_delta_check CHECK (delta <> 0 OR committed_delta <> 0) NOT VALID,
    DROP CONSTRAINT stock_movements_reason_check,
    ADD CONSTRAINT stock_movements_reason_check CHECK (reason IN ('initial', 'adjustment', 'order', 'cancellation', 'removal', 'shipment', 'shipment_cancelled', 'return', 'receipt', 'receipt_cancelled', 'count', 'transfer_out', 'transfer_in', 'transfer_back', 'transfer_lost', 'transfer_damaged', 'transfer_found', 'reallocation', 'import', 'migration')) NOT VALID;

-- Where the lines of an order are promised from; those without a row from the first warehouse alone.
CREATE TABLE order_allocations (
    account_id   TEXT COLLATE "C" NOT NULL,
    order_id     TEXT COLLATE "C" NOT NULL,
    line         BIGINT NOT NULL,
    warehouse_id TEXT COLLATE "C" NOT NULL,
    quantity     BIGINT NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (account_id, order_id, line, warehouse_id)
);

-- Whether what is open of the order is committed.
ALTER TABLE orders ADD COLUMN commits BOOLEAN NOT NULL DEFAULT FALSE;
-- What a unit had cost when the order was placed, in millionths.
ALTER TABLE order_items
    ADD COLUMN unit_cost BIGINT,
    ADD CONSTRAINT order_items_unit_cost_check CHECK (unit_cost >= 0) NOT VALID;

-- Stock that people have changed together. lines is JSON.
CREATE TABLE stock_adjustments (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    reason     TEXT NOT NULL,
    note       TEXT,
    reference  TEXT,
    lines      TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

-- What orders take from; the first warehouse where no default is named. Orders of an account commit stock from the start,
-- or once the upgrade is finished: the last release cancels without knowing of it. Every order reads this table, so it is
-- locked last.
ALTER TABLE accounts
    ADD COLUMN allocation TEXT NOT NULL DEFAULT 'default' CHECK (allocation IN ('default', 'anyAvailable')),
    ADD COLUMN default_warehouse_id TEXT COLLATE "C",
    ADD COLUMN commits_stock BOOLEAN NOT NULL DEFAULT FALSE,
    ADD COLUMN stock_version BIGINT NOT NULL DEFAULT 0;
