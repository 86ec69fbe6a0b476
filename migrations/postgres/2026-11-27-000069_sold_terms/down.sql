DROP INDEX invoice_facts_search_outdated;
ALTER TABLE invoice_facts DROP COLUMN search_version;
