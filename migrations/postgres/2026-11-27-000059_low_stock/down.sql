UPDATE supported_programs SET migration = '20261126000054';
DROP INDEX stock_levels_low;
ALTER TABLE stock_levels DROP COLUMN is_low, DROP COLUMN low_below;
