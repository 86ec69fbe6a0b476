-- The invoice that a payment link is for.
ALTER TABLE payment_links ADD COLUMN invoice_id TEXT;
CREATE INDEX payment_links_by_invoice ON payment_links (account_id, invoice_id, id) WHERE invoice_id IS NOT NULL;
