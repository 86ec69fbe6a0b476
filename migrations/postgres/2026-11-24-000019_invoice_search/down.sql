DROP TABLE invoice_facts;
DROP INDEX invoices_facts_outdated;
ALTER TABLE invoices DROP COLUMN facts_version;
