DROP TABLE stock_adjustments;
ALTER TABLE order_items DROP COLUMN unit_cost;
ALTER TABLE orders DROP COLUMN commits;
DROP TABLE order_allocations;
CREATE TABLE stock_movements_old (
    account_id     TEXT NOT NULL,
    id             TEXT NOT NULL,
    product_id     TEXT NOT NULL,
    variant_id     TEXT NOT NULL,
    warehouse_id   TEXT NOT NULL,
    delta          INTEGER NOT NULL CHECK (delta <> 0),
    quantity_after INTEGER NOT NULL CHECK (quantity_after >= 0),
    reason         TEXT NOT NULL CHECK (reason IN ('initial', 'adjustment', 'order', 'cancellation', 'removal')),
    reference      TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO stock_movements_old (account_id, id, product_id, variant_id, warehouse_id, delta, quantity_after, reason, reference, created_at)
    SELECT account_id, id, product_id, variant_id, warehouse_id, delta, quantity_after,
        CASE WHEN reason IN ('initial', 'adjustment', 'order', 'cancellation', 'removal') THEN reason ELSE 'adjustment' END, reference, created_at
    FROM stock_movements WHERE delta <> 0;
DROP TABLE stock_movements;
ALTER TABLE stock_movements_old RENAME TO stock_movements;
DROP INDEX stock_levels_by_warehouse;
ALTER TABLE stock_levels DROP COLUMN average_cost;
ALTER TABLE stock_levels DROP COLUMN elsewhere;
ALTER TABLE stock_levels DROP COLUMN sellable;
ALTER TABLE stock_levels DROP COLUMN committed;
ALTER TABLE accounts DROP COLUMN stock_version;
ALTER TABLE accounts DROP COLUMN commits_stock;
ALTER TABLE accounts DROP COLUMN default_warehouse_id;
ALTER TABLE accounts DROP COLUMN allocation;
DROP TABLE warehouses;
