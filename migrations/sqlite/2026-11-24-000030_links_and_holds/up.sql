-- The invoice that a payment link is for.
ALTER TABLE payment_links ADD COLUMN invoice_id TEXT;
CREATE INDEX payment_links_by_invoice ON payment_links (account_id, invoice_id, id) WHERE invoice_id IS NOT NULL;

-- What refunds that wait for an approval have set aside of payments, which is part of their refund_pending.
CREATE TABLE approval_holds (
    account_id  TEXT NOT NULL,
    approval_id TEXT NOT NULL,
    payment_id  TEXT NOT NULL,
    amount      INTEGER NOT NULL CHECK (amount > 0),
    PRIMARY KEY (account_id, approval_id, payment_id)
) STRICT;
CREATE INDEX approval_holds_by_payment ON approval_holds (account_id, payment_id);
