ALTER TABLE leads DROP COLUMN metadata;
