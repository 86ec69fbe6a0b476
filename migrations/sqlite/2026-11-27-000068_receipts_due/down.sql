DROP INDEX invoices_receipt_due;
ALTER TABLE invoices DROP COLUMN receipt_due;
