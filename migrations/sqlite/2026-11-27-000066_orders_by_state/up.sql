-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- What orders are narrowed to by how far they are shipped and paid. An order is placed unshipped, unpaid and pending, so placing
-- one writes nothing here, unless it costs nothing.
CREATE INDEX orders_by_fulfillment ON orders (account_id, fulfillment_status, id) WHERE fulfillment_status <> 'unfulfilled';
CREATE INDEX orders_unpaid ON orders (account_id, id) WHERE paid_at IS NULL AND status <> 'pending';
CREATE INDEX orders_free ON orders (account_id, id) WHERE paid_at IS NULL AND COALESCE(amount_paid, 0) >= total - returned_total;
CREATE INDEX orders_refunded ON orders (account_id, id) WHERE amount_refunded > 0;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('orders', 'orders_by_fulfillment', '500000 500000 100000 1'),
    ('orders', 'orders_unpaid', '10000 10000 1'),
    ('orders', 'orders_free', '1000 1000 1'),
    ('orders', 'orders_refunded', '10000 10000 1');
ANALYZE sqlite_schema;
