-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Whether money came for an invoice paid in parts that no stamped receipt tells of: 0 or 1.
ALTER TABLE invoices ADD COLUMN receipt_due INTEGER NOT NULL DEFAULT 0;
UPDATE invoices SET receipt_due = 1 WHERE status = 'stamped' AND balance > 0 AND (account_id, id) IN (
    SELECT p.account_id, p.invoice_id FROM payments p
    LEFT JOIN invoices r ON r.account_id = p.account_id AND r.id = p.receipt_id
    WHERE p.invoice_id IS NOT NULL AND p.status = 'paid' AND (r.id IS NULL OR r.status <> 'stamped')
    UNION SELECT h.account_id, h.invoice_id FROM invoice_orders h
    JOIN payments p ON p.account_id = h.account_id AND p.order_id = h.order_id
    LEFT JOIN invoices r ON r.account_id = p.account_id AND r.id = p.receipt_id
    WHERE p.status = 'paid' AND (r.id IS NULL OR r.status <> 'stamped')
);
CREATE INDEX invoices_receipt_due ON invoices (account_id, id) WHERE receipt_due = 1;
