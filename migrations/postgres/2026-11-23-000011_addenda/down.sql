ALTER TABLE invoice_papers DROP COLUMN addenda;
