-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Where a foreign customer resides (c_Pais), and their tax identifier there (NumRegIdTrib).
ALTER TABLE customers ADD COLUMN tax_residence TEXT;
ALTER TABLE customers ADD COLUMN foreign_tax_id TEXT;
