-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Open orders that do not commit their stock: those that the end of an upgrade has still to see to.
CREATE INDEX orders_left ON orders (account_id, id) WHERE NOT commits AND status IN ('pending', 'paid');
