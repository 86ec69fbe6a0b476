-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- How often in a row the file of an import was not where a worker looked for it.
ALTER TABLE imports ADD COLUMN file_misses INTEGER NOT NULL DEFAULT 0;
