-- What callers keep with a lead by names of their own.
ALTER TABLE leads ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
