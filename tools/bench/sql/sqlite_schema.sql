-- The rows of an order on SQLite, as few and as plain as they can be, with full durability.
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;

CREATE TABLE stock_levels (
    account_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity >= 0),
    PRIMARY KEY (account_id, product_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
    account_id TEXT NOT NULL,
    method_path TEXT NOT NULL,
    key TEXT NOT NULL,
    digest BLOB NOT NULL,
    status INTEGER NOT NULL,
    answer TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, method_path, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE orders (
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    number TEXT NOT NULL,
    status TEXT NOT NULL,
    customer_id TEXT NOT NULL,
    total INTEGER NOT NULL,
    currency TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE order_items (
    account_id TEXT NOT NULL,
    order_id TEXT NOT NULL,
    line INTEGER NOT NULL,
    product_id TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    unit_price INTEGER NOT NULL,
    PRIMARY KEY (account_id, order_id, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
