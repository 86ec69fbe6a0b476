-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- How often in a row the file of an import was not where a worker looked for it.
ALTER TABLE imports ADD COLUMN file_misses INTEGER NOT NULL DEFAULT 0;

-- The name of a category as names are compared. Empty in rows that nobody has written since: they are read whatever is looked for.
ALTER TABLE categories ADD COLUMN folded_name TEXT;
CREATE INDEX categories_by_name ON categories (account_id, folded_name);
