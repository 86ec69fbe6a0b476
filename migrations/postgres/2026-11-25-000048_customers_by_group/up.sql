-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- The customers of a group. In a transaction of its own, in which PostgreSQL lets readers go on.
CREATE INDEX customers_by_group ON customers (account_id, group_id, id) WHERE group_id IS NOT NULL;
