-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Open orders that do not commit their stock: those that the end of an upgrade has still to see to.
CREATE INDEX orders_left ON orders (account_id, id) WHERE NOT commits AND status IN ('pending', 'paid');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('orders', 'orders_left', '100 100 1');
ANALYZE sqlite_schema;
