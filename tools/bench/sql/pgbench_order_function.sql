-- A function that does in one round trip what POST /orders does, on the service's own schema: the same rows
-- in the same tables, the best form that one transaction for each order can take.

INSERT INTO accounts (id, name, low_stock_threshold, created_at)
VALUES ('acc_00000000000000000000000001', 'Limit', 5, 0);

INSERT INTO stock_levels (account_id, product_id, variant_id, warehouse_id, quantity)
SELECT 'acc_00000000000000000000000001', 'prd_' || lpad(n::text, 26, '0'), '', 'whs_00000000000000000000000001', 1000000000
FROM generate_series(1, 1000) AS n;

-- Cached, so that sessions do not wait for each other's numbers, as they would for a counter's row.
CREATE SEQUENCE order_numbers CACHE 64;

-- The caller orders the two products, so that two orders never wait for each other in a circle.
CREATE FUNCTION place_order(low integer, high integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    account CONSTANT text := 'acc_00000000000000000000000001';
    warehouse CONSTANT text := 'whs_00000000000000000000000001';
    customer CONSTANT text := 'cus_00000000000000000000000001';
    number bigint := nextval('order_numbers');
    digits text := lpad(number::text, 26, '0');
    order_id text := 'ord_' || digits;
    products text[] := ARRAY['prd_' || lpad(low::text, 26, '0'), 'prd_' || lpad(high::text, 26, '0')];
    now_micros bigint := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    answer text := '{"id":"' || order_id || '","status":"pending","padding":"' || repeat('a', 440) || '"}';
    quantity_left bigint;
BEGIN
    INSERT INTO idempotency_answers (account_id, operation, key, digest, answer, created_at)
    VALUES (account, 'POST /api/v1/orders', 'key-' || digits, repeat('0', 64), answer, now_micros);
    FOR line IN 1..2 LOOP
        UPDATE stock_levels SET quantity = quantity - 1
        WHERE account_id = account AND product_id = products[line] AND variant_id = '' AND warehouse_id = warehouse
            AND quantity >= 1
        RETURNING quantity INTO quantity_left;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'out of stock: %', products[line];
        END IF;
        INSERT INTO stock_movements (account_id, id, product_id, variant_id, warehouse_id, delta, quantity_after,
            reason, reference, created_at)
        VALUES (account, 'mov_' || lpad((number * 2 + line)::text, 26, '0'), products[line], '', warehouse, -1,
            quantity_left, 'order', order_id, now_micros);
    END LOOP;
    INSERT INTO orders (account_id, id, number, status, fulfillment_status, customer_id, total, currency,
        refund_due, metadata, search_text, created_at, updated_at, version)
    VALUES (account, order_id, number, 'pending', 'unfulfilled', customer, 39980000, 'MXN', 0, '{}', '', now_micros,
        now_micros, 1);
    INSERT INTO order_items (account_id, order_id, line, product_id, variant_id, name, sku, quantity, unit_price)
    VALUES (account, order_id, 0, products[1], '', 'Product', 'SKU-1', 1, 19990000),
        (account, order_id, 1, products[2], '', 'Product', 'SKU-2', 1, 19990000);
    INSERT INTO events (account_id, id, name, entity_id, body, created_at)
    VALUES (account, 'evt_' || digits, 'order.created', order_id, repeat('e', 220), now_micros);
    RETURN answer;
END
$$;
