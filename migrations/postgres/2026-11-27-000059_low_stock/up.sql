-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- What is low is told by its own row, so that an index has it and nothing else. In the first warehouse of the account, low_below
-- is the stock below which something in the catalog counts as low, and is_low whether it is; elsewhere, and of what is not in
-- the catalog any more, there is neither. A column of its own, not a condition of the index: as long as it stays what it is,
-- a level is moved without a look at any index.
ALTER TABLE stock_levels
    ADD COLUMN low_below BIGINT,
    ADD COLUMN is_low BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE stock_levels l
    SET low_below = COALESCE(p.low_stock_threshold, a.low_stock_threshold * CASE p.quantity_decimals WHEN 3 THEN 1000 ELSE 1 END),
        is_low = l.quantity + l.elsewhere < COALESCE(p.low_stock_threshold, a.low_stock_threshold * CASE p.quantity_decimals WHEN 3 THEN 1000 ELSE 1 END)
    FROM products p JOIN accounts a ON a.id = p.account_id
    WHERE l.account_id = p.account_id AND l.product_id = p.id AND l.warehouse_id = REPLACE(l.account_id, 'acc_', 'whs_')
    AND p.deleted_at IS NULL AND (l.variant_id = '' OR EXISTS (SELECT 1 FROM variants v
        WHERE v.account_id = l.account_id AND v.product_id = l.product_id AND v.id = l.variant_id));
CREATE INDEX stock_levels_low ON stock_levels (account_id, product_id, variant_id, is_low) WHERE is_low;

-- Older programs would move levels and leave is_low as it was.
UPDATE supported_programs SET migration = '20261127000059';
