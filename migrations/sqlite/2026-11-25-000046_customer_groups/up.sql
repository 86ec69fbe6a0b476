-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Groups of customers, whom price lists are for. A customer is in at most one.
CREATE TABLE customer_groups (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

ALTER TABLE customers ADD COLUMN group_id TEXT;
