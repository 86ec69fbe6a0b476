DROP TABLE approval_holds;
DROP INDEX payment_links_by_invoice;
ALTER TABLE payment_links DROP COLUMN invoice_id;
