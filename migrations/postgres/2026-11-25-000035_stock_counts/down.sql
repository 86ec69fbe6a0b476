ALTER TABLE stock_levels DROP COLUMN corrections;
ALTER TABLE stock_levels DROP COLUMN changes;
DROP TABLE count_lines;
DROP TABLE stock_counts;
