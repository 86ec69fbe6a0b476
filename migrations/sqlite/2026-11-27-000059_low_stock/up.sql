-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- What is low is told by its own row, so that an index has it and nothing else. In the first warehouse of the account, low_below
-- is the stock below which something in the catalog counts as low, and is_low whether it is; elsewhere, and of what is not in
-- the catalog any more, there is neither.
ALTER TABLE stock_levels ADD COLUMN low_below INTEGER;
ALTER TABLE stock_levels ADD COLUMN is_low INTEGER NOT NULL DEFAULT 0;
UPDATE stock_levels
    SET low_below = (SELECT COALESCE(p.low_stock_threshold, a.low_stock_threshold * CASE p.quantity_decimals WHEN 3 THEN 1000 ELSE 1 END)
        FROM products p JOIN accounts a ON a.id = p.account_id
        WHERE p.account_id = stock_levels.account_id AND p.id = stock_levels.product_id AND p.deleted_at IS NULL)
    WHERE warehouse_id = REPLACE(account_id, 'acc_', 'whs_')
    AND (variant_id = '' OR EXISTS (SELECT 1 FROM variants v WHERE v.account_id = stock_levels.account_id
        AND v.product_id = stock_levels.product_id AND v.id = stock_levels.variant_id));
UPDATE stock_levels SET is_low = 1 WHERE quantity + elsewhere < low_below;
CREATE INDEX stock_levels_low ON stock_levels (account_id, product_id, variant_id, is_low) WHERE is_low;

-- What the planner is told, as of other lists: few of many are low.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('stock_levels', 'stock_levels', '1000000 500000 2 2 1'),
    ('stock_levels', 'stock_levels_by_warehouse', '1000000 1000000 500000 2 1'),
    ('stock_levels', 'stock_levels_low', '1000 1000 2 1 1');
ANALYZE sqlite_schema;

-- Older programs would move levels and leave is_low as it was.
UPDATE supported_programs SET migration = '20261127000059';
