DELETE FROM sqlite_stat1 WHERE idx = 'invoices_receipt_due';
DROP INDEX invoices_receipt_due;
ALTER TABLE invoices DROP COLUMN receipt_due;
