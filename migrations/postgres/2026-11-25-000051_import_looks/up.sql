-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- How often in a row the file of an import was not where a worker looked for it.
ALTER TABLE imports ADD COLUMN file_misses BIGINT NOT NULL DEFAULT 0;
