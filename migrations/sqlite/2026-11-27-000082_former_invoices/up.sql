-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Which stamped invoices orders were billed by before. Who bills an order now is in invoice_orders.
CREATE TABLE former_invoices (
    account_id TEXT NOT NULL,
    order_id   TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    PRIMARY KEY (account_id, order_id, invoice_id)
) STRICT, WITHOUT ROWID;
