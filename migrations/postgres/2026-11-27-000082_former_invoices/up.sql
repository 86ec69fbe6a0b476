-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Which stamped invoices orders were billed by before. Who bills an order now is in invoice_orders.
CREATE TABLE former_invoices (
    account_id TEXT COLLATE "C" NOT NULL,
    order_id   TEXT COLLATE "C" NOT NULL,
    invoice_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, order_id, invoice_id)
);
