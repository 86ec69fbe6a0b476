-- How the global invoices of an account are made, and the run that waits for its time.
CREATE TABLE global_settings (
    account_id TEXT COLLATE "C" NOT NULL,
    settings   TEXT NOT NULL,
    task_id    TEXT COLLATE "C",
    PRIMARY KEY (account_id)
);

-- What was paid, in the order of payment: the sales of a period. An order is placed unpaid, so placing it writes nothing here.
CREATE INDEX orders_by_payment ON orders (account_id, paid_at, id) WHERE paid_at IS NOT NULL;
