UPDATE supported_programs SET migration = '20261126000054';
DELETE FROM sqlite_stat1 WHERE tbl = 'stock_levels';
DROP INDEX stock_levels_low;
ALTER TABLE stock_levels DROP COLUMN is_low;
ALTER TABLE stock_levels DROP COLUMN low_below;
ANALYZE sqlite_schema;
