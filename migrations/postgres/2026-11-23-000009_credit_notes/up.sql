-- What a credit note takes off other invoices: JSON, fixed when it is sealed.
ALTER TABLE invoices ADD COLUMN applied_to TEXT;
-- What was paid of an invoice and credited beyond what it amounts to.
ALTER TABLE invoices ADD COLUMN overpaid BIGINT NOT NULL DEFAULT 0 CHECK (overpaid >= 0);
-- When it was stamped: lists are of a month of stamps.
ALTER TABLE invoices ADD COLUMN stamped_at BIGINT;
UPDATE invoices SET stamped_at = ROUND(EXTRACT(EPOCH FROM (stamp::json ->> 'at')::timestamptz) * 1000)::bigint * 1000
    WHERE stamp IS NOT NULL;
CREATE INDEX invoices_by_stamp ON invoices (account_id, stamped_at, id) WHERE stamped_at IS NOT NULL;
CREATE INDEX invoices_by_number ON invoices (account_id, folio, id) WHERE folio IS NOT NULL;
CREATE INDEX invoices_by_cancellation ON invoices (account_id, cancellation_status, id) WHERE cancellation_status IS NOT NULL;
