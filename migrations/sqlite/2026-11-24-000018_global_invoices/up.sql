-- How the global invoices of an account are made, and the run that waits for its time.
CREATE TABLE global_settings (
    account_id TEXT NOT NULL,
    settings   TEXT NOT NULL,
    task_id    TEXT,
    PRIMARY KEY (account_id)
) STRICT;

-- What was paid, in the order of payment: the sales of a period. An order is placed unpaid, so placing it writes nothing here.
CREATE INDEX orders_by_payment ON orders (account_id, paid_at, id) WHERE paid_at IS NOT NULL;
