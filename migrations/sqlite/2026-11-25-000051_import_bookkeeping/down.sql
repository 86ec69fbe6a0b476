DROP TABLE backlogs;
ALTER TABLE events DROP COLUMN batch;
DROP TABLE import_stock;
DROP INDEX categories_by_name;
ALTER TABLE categories DROP COLUMN folded_name;
ALTER TABLE imports DROP COLUMN file_misses;
