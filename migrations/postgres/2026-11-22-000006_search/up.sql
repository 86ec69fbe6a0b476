-- Which rules the terms in search_text were made by. Rows of older rules, and of releases that do not know the column,
-- are made anew in the background.
ALTER TABLE products ADD COLUMN search_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE customers ADD COLUMN search_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN search_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE leads ADD COLUMN search_version BIGINT NOT NULL DEFAULT 0;
CREATE INDEX products_search_outdated ON products (account_id, id) WHERE search_version < 1;
CREATE INDEX customers_search_outdated ON customers (account_id, id) WHERE search_version < 1;
CREATE INDEX orders_search_outdated ON orders (account_id, id) WHERE search_version < 1;
CREATE INDEX leads_search_outdated ON leads (account_id, id) WHERE search_version < 1;

-- A customer whose orders are still to be found under the customer's new terms: the last one that is.
ALTER TABLE customers ADD COLUMN orders_renamed_to TEXT COLLATE "C";
CREATE INDEX customers_renaming ON customers (account_id, id) WHERE orders_renamed_to IS NOT NULL;

CREATE INDEX products_by_status ON products (account_id, status, id);
CREATE INDEX customers_by_change ON customers (account_id, updated_at, id);
CREATE INDEX orders_by_status ON orders (account_id, status, id);
CREATE INDEX orders_by_change ON orders (account_id, updated_at, id);
CREATE INDEX leads_by_change ON leads (account_id, updated_at, id);
CREATE INDEX leads_by_source ON leads (account_id, source, id);
CREATE INDEX leads_by_owner ON leads (account_id, owner_id, id);
CREATE INDEX invoices_by_kind ON invoices (account_id, kind, id);
CREATE INDEX invoices_by_series ON invoices (account_id, series, id);
CREATE INDEX invoices_by_receiver ON invoices (account_id, receiver_rfc, id);
CREATE INDEX invoices_by_change ON invoices (account_id, updated_at, id);

-- What orders that follow each other by number are found by, in one row for all of them: one for each order would cost
-- as much as all else that placing it does. Written in the background, behind the orders.
CREATE TABLE order_blocks (
    account_id   TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    first_number BIGINT NOT NULL,
    last_number  BIGINT NOT NULL,
    search_text  TEXT NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX order_blocks_by_number ON order_blocks (account_id, last_number);

-- The terms of a row, each behind the end of its account, so that a search reads the terms of one account only. It costs
-- much more than what it is compared with: whoever plans a query should not do it for every row.
CREATE FUNCTION search_terms(account_id TEXT, search_text TEXT) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
    SELECT array_to_tsvector(array(
        SELECT right(account_id, 10) || left(term, 64) FROM unnest(string_to_array(search_text, ' ')) AS term
        WHERE term <> ''
    ))
$$;

CREATE INDEX products_by_term ON products USING gin (search_terms(account_id, search_text));
CREATE INDEX customers_by_term ON customers USING gin (search_terms(account_id, search_text));
CREATE INDEX order_blocks_by_term ON order_blocks USING gin (search_terms(account_id, search_text));
CREATE INDEX leads_by_term ON leads USING gin (search_terms(account_id, search_text));
