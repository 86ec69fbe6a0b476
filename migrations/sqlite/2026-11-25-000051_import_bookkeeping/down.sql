DROP INDEX replays_of_batches;
ALTER TABLE replays DROP COLUMN opened_at;
ALTER TABLE replays DROP COLUMN of_batches;
ALTER TABLE events DROP COLUMN batch;
DROP TABLE import_stock;
DROP INDEX categories_by_name;
ALTER TABLE categories DROP COLUMN folded_name;
ALTER TABLE imports DROP COLUMN file_misses;
