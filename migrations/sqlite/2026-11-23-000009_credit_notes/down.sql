ALTER TABLE invoices DROP COLUMN overpaid;
ALTER TABLE invoices DROP COLUMN applied_to;
