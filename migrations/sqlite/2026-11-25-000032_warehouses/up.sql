-- The places that goods lie at. The first one of an account shares its number, and has a row once it was changed.
-- address is JSON.
CREATE TABLE warehouses (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    name       TEXT NOT NULL,
    address    TEXT,
    kind       TEXT NOT NULL CHECK (kind IN ('store', 'quarantine', 'transit')),
    priority   INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

-- What orders take from; the first warehouse where no default is named. Orders of an account commit stock from the start,
-- or once the upgrade is finished: the last release cancels without knowing of it.
ALTER TABLE accounts ADD COLUMN allocation TEXT NOT NULL DEFAULT 'default' CHECK (allocation IN ('default', 'anyAvailable'));
ALTER TABLE accounts ADD COLUMN default_warehouse_id TEXT;
ALTER TABLE accounts ADD COLUMN commits_stock INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN stock_version INTEGER NOT NULL DEFAULT 0;

-- quantity is what can be promised, committed what is promised and not shipped yet. In the first warehouse of the account,
-- elsewhere is the sum of what can be promised in its other ones, and average_cost what a unit has cost, in millionths.
ALTER TABLE stock_levels ADD COLUMN committed INTEGER NOT NULL DEFAULT 0 CHECK (committed >= 0);
ALTER TABLE stock_levels ADD COLUMN sellable INTEGER NOT NULL DEFAULT 1;
ALTER TABLE stock_levels ADD COLUMN elsewhere INTEGER NOT NULL DEFAULT 0 CHECK (elsewhere >= 0);
ALTER TABLE stock_levels ADD COLUMN average_cost INTEGER CHECK (average_cost >= 0);
CREATE INDEX stock_levels_by_warehouse ON stock_levels (account_id, warehouse_id, product_id, variant_id);

-- Moved, not only in what it may say: SQLite knows no other way.
CREATE TABLE stock_movements_new (
    account_id      TEXT NOT NULL,
    id              TEXT NOT NULL,
    product_id      TEXT NOT NULL,
    variant_id      TEXT NOT NULL,
    warehouse_id    TEXT NOT NULL,
    delta           INTEGER NOT NULL,
    quantity_after  INTEGER NOT NULL CHECK (quantity_after >= 0),
    -- SQLite builds the list anew for each row that gets to it: the commonest reason comes before.
    reason          TEXT NOT NULL CHECK (reason = 'order' OR reason IN ('initial', 'adjustment', 'order', 'cancellation', 'removal', 'shipment', 'shipment_cancelled', 'return', 'receipt', 'receipt_cancelled', 'count', 'transfer_out', 'transfer_in', 'transfer_back', 'transfer_lost', 'transfer_damaged', 'transfer_found', 'reallocation', 'import', 'migration')),
    reference       TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    committed_delta INTEGER NOT NULL DEFAULT 0,
    unit_cost       INTEGER CHECK (unit_cost >= 0),
    note            TEXT,
    PRIMARY KEY (account_id, id),
    CHECK (delta <> 0 OR committed_delta <> 0)
) STRICT, WITHOUT ROWID;
INSERT INTO stock_movements_new (account_id, id, product_id, variant_id, warehouse_id, delta, quantity_after, reason, reference, created_at)
    SELECT account_id, id, product_id, variant_id, warehouse_id, delta, quantity_after, reason, reference, created_at FROM stock_movements;
DROP TABLE stock_movements;
ALTER TABLE stock_movements_new RENAME TO stock_movements;

-- Without those of orders, each of which would pay for them.
CREATE INDEX stock_movements_by_product ON stock_movements (account_id, product_id, variant_id, id) WHERE reason NOT IN ('order', 'cancellation', 'shipment');
CREATE INDEX stock_movements_by_warehouse ON stock_movements (account_id, warehouse_id, reason, id) WHERE reason NOT IN ('order', 'cancellation', 'shipment');

-- Where the lines of an order are promised from; those without a row from the first warehouse alone.
CREATE TABLE order_allocations (
    account_id   TEXT NOT NULL,
    order_id     TEXT NOT NULL,
    line         INTEGER NOT NULL,
    warehouse_id TEXT NOT NULL,
    quantity     INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (account_id, order_id, line, warehouse_id)
) STRICT, WITHOUT ROWID;

-- Whether what is open of the order is committed.
ALTER TABLE orders ADD COLUMN commits INTEGER NOT NULL DEFAULT 0;
-- What a unit had cost when the order was placed, in millionths.
ALTER TABLE order_items ADD COLUMN unit_cost INTEGER CHECK (unit_cost >= 0);

-- Stock that people have changed together. lines is JSON.
CREATE TABLE stock_adjustments (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    reason     TEXT NOT NULL,
    note       TEXT,
    reference  TEXT,
    lines      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
