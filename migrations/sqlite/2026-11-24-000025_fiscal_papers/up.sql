-- The invoice that a payment is for, its receipt (type P), and why it has none.
ALTER TABLE payments ADD COLUMN invoice_id TEXT;
ALTER TABLE payments ADD COLUMN receipt_id TEXT;
ALTER TABLE payments ADD COLUMN receipt_problem TEXT;
CREATE INDEX payments_by_invoice ON payments (account_id, invoice_id, id) WHERE invoice_id IS NOT NULL;
CREATE UNIQUE INDEX payments_by_receipt ON payments (account_id, receipt_id) WHERE receipt_id IS NOT NULL;

-- The credit note (type E) of a refund, and why it has none.
ALTER TABLE refunds ADD COLUMN credit_note_id TEXT;
ALTER TABLE refunds ADD COLUMN credit_note_problem TEXT;
CREATE UNIQUE INDEX refunds_by_credit_note ON refunds (account_id, credit_note_id) WHERE credit_note_id IS NOT NULL;

-- What the credit notes of refunds, drafts among them, take off an invoice.
ALTER TABLE invoices ADD COLUMN credited INTEGER NOT NULL DEFAULT 0 CHECK (credited >= 0);

-- Whether receipts and credit notes that come by themselves are stamped by themselves, too.
ALTER TABLE issuers ADD COLUMN stamps_receipts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE issuers ADD COLUMN stamps_credit_notes INTEGER NOT NULL DEFAULT 0;
