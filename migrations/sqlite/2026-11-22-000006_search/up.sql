-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.

-- Which rules the terms in search_text were made by. Rows of older rules, and of releases that do not know the column,
-- are made anew in the background.
ALTER TABLE products ADD COLUMN search_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE customers ADD COLUMN search_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN search_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE leads ADD COLUMN search_version INTEGER NOT NULL DEFAULT 0;
CREATE INDEX products_search_outdated ON products (account_id, id) WHERE search_version < 1;
CREATE INDEX customers_search_outdated ON customers (account_id, id) WHERE search_version < 1;
CREATE INDEX orders_search_outdated ON orders (account_id, id) WHERE search_version < 1;
CREATE INDEX leads_search_outdated ON leads (account_id, id) WHERE search_version < 1;

-- A customer whose orders are still to be found under the customer's new terms: the last one that is.
ALTER TABLE customers ADD COLUMN orders_renamed_to TEXT;
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
    account_id   TEXT NOT NULL,
    id           TEXT NOT NULL,
    first_number INTEGER NOT NULL,
    last_number  INTEGER NOT NULL,
    search_text  TEXT NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX order_blocks_by_number ON order_blocks (account_id, last_number);

-- The numbers under which rows stand in search_index.
CREATE TABLE search_rows (
    number     INTEGER NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    UNIQUE (account_id, id)
) STRICT;

-- The terms of products, customers, blocks of orders and leads. Each begins with a letter for its table and the end of the
-- account, so that a search reads the terms of one list of one account only.
CREATE VIRTUAL TABLE search_index USING fts5 (
    terms,
    content = '',
    contentless_delete = 1,
    detail = 'none',
    tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

INSERT INTO search_rows (account_id, id) SELECT account_id, id FROM products;
INSERT INTO search_index (rowid, terms) SELECT r.number, 'p' || substr(t.account_id, -10) || replace(t.search_text, ' ', ' p' || substr(t.account_id, -10))
    FROM products t JOIN search_rows r ON r.account_id = t.account_id AND r.id = t.id;

CREATE TRIGGER products_search_insert AFTER INSERT ON products BEGIN
    INSERT INTO search_rows (account_id, id) VALUES (new.account_id, new.id);
    INSERT INTO search_index (rowid, terms) VALUES (last_insert_rowid(), 'p' || substr(new.account_id, -10) || replace(new.search_text, ' ', ' p' || substr(new.account_id, -10)));
END;
CREATE TRIGGER products_search_update AFTER UPDATE OF search_text ON products
WHEN new.search_text <> old.search_text BEGIN
    INSERT OR REPLACE INTO search_index (rowid, terms) VALUES ((SELECT number FROM search_rows WHERE account_id = new.account_id AND id = new.id), 'p' || substr(new.account_id, -10) || replace(new.search_text, ' ', ' p' || substr(new.account_id, -10)));
END;
CREATE TRIGGER products_search_delete AFTER DELETE ON products BEGIN
    DELETE FROM search_index WHERE rowid = (SELECT number FROM search_rows WHERE account_id = old.account_id AND id = old.id);
    DELETE FROM search_rows WHERE account_id = old.account_id AND id = old.id;
END;

INSERT INTO search_rows (account_id, id) SELECT account_id, id FROM customers;
INSERT INTO search_index (rowid, terms) SELECT r.number, 'c' || substr(t.account_id, -10) || replace(t.search_text, ' ', ' c' || substr(t.account_id, -10))
    FROM customers t JOIN search_rows r ON r.account_id = t.account_id AND r.id = t.id;

CREATE TRIGGER customers_search_insert AFTER INSERT ON customers BEGIN
    INSERT INTO search_rows (account_id, id) VALUES (new.account_id, new.id);
    INSERT INTO search_index (rowid, terms) VALUES (last_insert_rowid(), 'c' || substr(new.account_id, -10) || replace(new.search_text, ' ', ' c' || substr(new.account_id, -10)));
END;
CREATE TRIGGER customers_search_update AFTER UPDATE OF search_text ON customers
WHEN new.search_text <> old.search_text BEGIN
    INSERT OR REPLACE INTO search_index (rowid, terms) VALUES ((SELECT number FROM search_rows WHERE account_id = new.account_id AND id = new.id), 'c' || substr(new.account_id, -10) || replace(new.search_text, ' ', ' c' || substr(new.account_id, -10)));
END;
CREATE TRIGGER customers_search_delete AFTER DELETE ON customers BEGIN
    DELETE FROM search_index WHERE rowid = (SELECT number FROM search_rows WHERE account_id = old.account_id AND id = old.id);
    DELETE FROM search_rows WHERE account_id = old.account_id AND id = old.id;
END;

CREATE TRIGGER order_blocks_search_insert AFTER INSERT ON order_blocks BEGIN
    INSERT INTO search_rows (account_id, id) VALUES (new.account_id, new.id);
    INSERT INTO search_index (rowid, terms) VALUES (last_insert_rowid(), 'b' || substr(new.account_id, -10) || replace(new.search_text, ' ', ' b' || substr(new.account_id, -10)));
END;
CREATE TRIGGER order_blocks_search_update AFTER UPDATE OF search_text ON order_blocks
WHEN new.search_text <> old.search_text BEGIN
    INSERT OR REPLACE INTO search_index (rowid, terms) VALUES ((SELECT number FROM search_rows WHERE account_id = new.account_id AND id = new.id), 'b' || substr(new.account_id, -10) || replace(new.search_text, ' ', ' b' || substr(new.account_id, -10)));
END;
CREATE TRIGGER order_blocks_search_delete AFTER DELETE ON order_blocks BEGIN
    DELETE FROM search_index WHERE rowid = (SELECT number FROM search_rows WHERE account_id = old.account_id AND id = old.id);
    DELETE FROM search_rows WHERE account_id = old.account_id AND id = old.id;
END;

INSERT INTO search_rows (account_id, id) SELECT account_id, id FROM leads;
INSERT INTO search_index (rowid, terms) SELECT r.number, 'l' || substr(t.account_id, -10) || replace(t.search_text, ' ', ' l' || substr(t.account_id, -10))
    FROM leads t JOIN search_rows r ON r.account_id = t.account_id AND r.id = t.id;

CREATE TRIGGER leads_search_insert AFTER INSERT ON leads BEGIN
    INSERT INTO search_rows (account_id, id) VALUES (new.account_id, new.id);
    INSERT INTO search_index (rowid, terms) VALUES (last_insert_rowid(), 'l' || substr(new.account_id, -10) || replace(new.search_text, ' ', ' l' || substr(new.account_id, -10)));
END;
CREATE TRIGGER leads_search_update AFTER UPDATE OF search_text ON leads
WHEN new.search_text <> old.search_text BEGIN
    INSERT OR REPLACE INTO search_index (rowid, terms) VALUES ((SELECT number FROM search_rows WHERE account_id = new.account_id AND id = new.id), 'l' || substr(new.account_id, -10) || replace(new.search_text, ' ', ' l' || substr(new.account_id, -10)));
END;
CREATE TRIGGER leads_search_delete AFTER DELETE ON leads BEGIN
    DELETE FROM search_index WHERE rowid = (SELECT number FROM search_rows WHERE account_id = old.account_id AND id = old.id);
    DELETE FROM search_rows WHERE account_id = old.account_id AND id = old.id;
END;

-- Without statistics SQLite takes an account for a few rows and walks all of its orders for those of one customer or
-- status. What it is told here: a long list, customers with some of it, statuses with much of it.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('orders', 'orders', '1000000 1000000 1'),
    ('orders', 'orders_by_number', '1000000 1000000 1'),
    ('orders', 'orders_by_customer', '1000000 1000000 100 1'),
    ('orders', 'orders_by_status', '1000000 1000000 200000 1'),
    ('orders', 'orders_by_change', '1000000 1000000 2 1');
