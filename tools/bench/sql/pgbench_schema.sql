-- The rows of an order on PostgreSQL and a function that writes them all in one round trip:
-- the best single-transaction form of the work that POST /orders does.

CREATE TABLE stock_levels (
    account_id text COLLATE "C" NOT NULL,
    product_id text COLLATE "C" NOT NULL,
    quantity bigint NOT NULL CHECK (quantity >= 0),
    PRIMARY KEY (account_id, product_id)
);

CREATE TABLE idempotency_keys (
    account_id text COLLATE "C" NOT NULL,
    method_path text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    digest bytea NOT NULL,
    status integer NOT NULL,
    answer text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (account_id, method_path, key)
);

CREATE TABLE orders (
    account_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    number text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    total bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE TABLE order_items (
    account_id text COLLATE "C" NOT NULL,
    order_id text COLLATE "C" NOT NULL,
    line integer NOT NULL,
    product_id text COLLATE "C" NOT NULL,
    quantity bigint NOT NULL,
    unit_price bigint NOT NULL,
    PRIMARY KEY (account_id, order_id, line)
);

CREATE TABLE events (
    account_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    entity_id text COLLATE "C" NOT NULL,
    body text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE SEQUENCE order_numbers CACHE 64;

INSERT INTO stock_levels (account_id, product_id, quantity)
SELECT 'acc_00000000000000000000000001', 'prd_' || lpad(n::text, 26, '0'), 1000000000
FROM generate_series(1, 1000) AS n;

-- The caller orders the two products, so that two orders never wait for each other in a circle.
CREATE FUNCTION place_order(low integer, high integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    account CONSTANT text := 'acc_00000000000000000000000001';
    customer CONSTANT text := 'cus_00000000000000000000000001';
    digits text := lpad(nextval('order_numbers')::text, 26, '0');
    order_id text := 'ord_' || digits;
    first_product text := 'prd_' || lpad(low::text, 26, '0');
    second_product text := 'prd_' || lpad(high::text, 26, '0');
    now_micros bigint := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    answer text;
BEGIN
    answer := '{"id":"' || order_id || '","status":"pending","padding":"' || repeat('a', 340) || '"}';
    INSERT INTO idempotency_keys (account_id, method_path, key, digest, status, answer, created_at)
    VALUES (account, 'POST /orders', 'key-' || digits, decode(repeat('00', 32), 'hex'), 201,
        answer, now_micros);
    UPDATE stock_levels SET quantity = quantity - 1
    WHERE account_id = account AND product_id = first_product AND quantity >= 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'out of stock: %', first_product;
    END IF;
    UPDATE stock_levels SET quantity = quantity - 1
    WHERE account_id = account AND product_id = second_product AND quantity >= 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'out of stock: %', second_product;
    END IF;
    INSERT INTO orders (account_id, id, number, status, customer_id, total, currency, created_at)
    VALUES (account, order_id, 'ORD-' || digits, 'pending', customer, 39980000, 'MXN', now_micros);
    INSERT INTO order_items (account_id, order_id, line, product_id, quantity, unit_price)
    VALUES (account, order_id, 0, first_product, 1, 19990000),
        (account, order_id, 1, second_product, 1, 19990000);
    INSERT INTO events (account_id, id, name, entity_id, body, created_at)
    VALUES (account, 'evt_' || digits, 'order.created', order_id, repeat('e', 250), now_micros);
    RETURN answer;
END
$$;
