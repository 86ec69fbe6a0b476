-- What a credit note takes off other invoices: JSON, fixed when it is sealed.
ALTER TABLE invoices ADD COLUMN applied_to TEXT;
-- What was paid of an invoice and credited beyond what it amounts to.
ALTER TABLE invoices ADD COLUMN overpaid INTEGER NOT NULL DEFAULT 0 CHECK (overpaid >= 0);
