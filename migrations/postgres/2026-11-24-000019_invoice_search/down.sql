DROP INDEX invoices_by_stamp;
CREATE INDEX invoices_by_stamp ON invoices (account_id, stamped_at, id) WHERE stamped_at IS NOT NULL;
DROP INDEX invoices_by_status;
CREATE INDEX invoices_by_status ON invoices (account_id, status, id);
DROP TABLE invoice_facts;
DROP INDEX invoices_facts_outdated;
ALTER TABLE invoices DROP COLUMN facts_version;
