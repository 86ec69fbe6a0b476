-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Groups of customers, whom price lists are for. A customer is in at most one.
CREATE TABLE customer_groups (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

ALTER TABLE customers ADD COLUMN group_id TEXT COLLATE "C";
