DROP INDEX credit_entries_by_withholding;
ALTER TABLE credit_entries DROP COLUMN withholding_id;
DROP TABLE withholding_papers;
DROP TABLE withholdings;
