DROP INDEX deals_by_lead;
ALTER TABLE leads DROP COLUMN merged_into;
DROP TABLE activities;
