DROP INDEX invoices_by_cancellation;
DROP INDEX invoices_by_number;
DROP INDEX invoices_by_stamp;
ALTER TABLE invoices DROP COLUMN stamped_at;
ALTER TABLE invoices DROP COLUMN overpaid;
ALTER TABLE invoices DROP COLUMN applied_to;
