DROP TABLE stock_adjustments;
ALTER TABLE order_items DROP COLUMN unit_cost;
ALTER TABLE orders DROP COLUMN commits;
DROP TABLE order_allocations;
DROP INDEX stock_movements_by_warehouse;
DROP INDEX stock_movements_by_product;
DELETE FROM stock_movements WHERE delta = 0;
UPDATE stock_movements SET reason = 'adjustment' WHERE reason NOT IN ('initial', 'adjustment', 'order', 'cancellation', 'removal');
ALTER TABLE stock_movements
    DROP CONSTRAINT stock_movements_reason_check,
    ADD CONSTRAINT stock_movements_reason_check CHECK (reason IN ('initial', 'adjustment', 'order', 'cancellation', 'removal')),
    DROP CONSTRAINT stock_movements_delta_check,
    ADD CONSTRAINT stock_movements_delta_check CHECK (delta <> 0),
    DROP COLUMN note,
    DROP COLUMN unit_cost,
    DROP COLUMN committed_delta;
DROP INDEX stock_levels_by_warehouse;
ALTER TABLE stock_levels
    DROP COLUMN average_cost,
    DROP COLUMN elsewhere,
    DROP COLUMN sellable,
    DROP COLUMN committed;
ALTER TABLE accounts
    DROP COLUMN stock_version,
    DROP COLUMN commits_stock,
    DROP COLUMN default_warehouse_id,
    DROP COLUMN allocation;
DROP TABLE warehouses;
