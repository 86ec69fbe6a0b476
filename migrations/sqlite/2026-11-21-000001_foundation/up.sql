-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Times are microseconds since 1970 UTC, money is millionths of the currency unit, documents are JSON.

CREATE TABLE accounts (
    id                  TEXT NOT NULL PRIMARY KEY,
    name                TEXT NOT NULL,
    low_stock_threshold INTEGER NOT NULL CHECK (low_stock_threshold >= 0),
    created_at          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
    account_id    TEXT NOT NULL REFERENCES accounts (id),
    id            TEXT NOT NULL,
    name          TEXT NOT NULL,
    digest        TEXT NOT NULL,
    last4         TEXT NOT NULL,
    scopes        TEXT NOT NULL,
    rate_per_hour INTEGER CHECK (rate_per_hour > 0),
    created_at    INTEGER NOT NULL,
    expires_at    INTEGER,
    revoked_at    INTEGER,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

-- The one index that does not start with the account: a key is how the account becomes known.
CREATE UNIQUE INDEX api_keys_by_digest ON api_keys (digest);

-- The answer of every command that was sent with an Idempotency-Key, until it expires.
CREATE TABLE idempotency_answers (
    account_id TEXT NOT NULL,
    operation  TEXT NOT NULL,
    key        TEXT NOT NULL,
    digest     TEXT NOT NULL,
    answer     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, operation, key)
) STRICT;

CREATE INDEX idempotency_answers_by_age ON idempotency_answers (account_id, created_at);

-- Per account: the size of each list, and with it the number of the last order.
CREATE TABLE counters (
    account_id TEXT NOT NULL,
    name       TEXT NOT NULL,
    value      INTEGER NOT NULL CHECK (value >= 0),
    PRIMARY KEY (account_id, name)
) STRICT, WITHOUT ROWID;

-- The outbox: every event, written in the transaction of its cause. body holds the bytes to deliver.
CREATE TABLE events (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    name       TEXT NOT NULL,
    entity_id  TEXT NOT NULL,
    body       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE products (
    account_id          TEXT NOT NULL,
    id                  TEXT NOT NULL,
    name                TEXT NOT NULL,
    sku                 TEXT NOT NULL,
    description         TEXT,
    ean                 TEXT,
    price               INTEGER NOT NULL CHECK (price >= 0),
    currency            TEXT NOT NULL,
    status              TEXT NOT NULL CHECK (status IN ('active', 'archived')),
    low_stock_threshold INTEGER CHECK (low_stock_threshold >= 0),
    tax_included        INTEGER NOT NULL,
    taxes               TEXT NOT NULL,
    sat_product_key     TEXT,
    sat_unit_key        TEXT,
    metadata            TEXT NOT NULL,
    sort_name           TEXT NOT NULL,
    search_text         TEXT NOT NULL,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    deleted_at          INTEGER,
    version             INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX products_by_name ON products (account_id, sort_name, id);
CREATE INDEX products_by_price ON products (account_id, price, id);
CREATE INDEX products_by_change ON products (account_id, updated_at, id);
CREATE INDEX products_by_ean ON products (account_id, ean) WHERE ean IS NOT NULL;

CREATE TABLE variants (
    account_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    position   INTEGER NOT NULL,
    name       TEXT NOT NULL,
    sku        TEXT,
    ean        TEXT,
    price      INTEGER CHECK (price >= 0),
    PRIMARY KEY (account_id, product_id, id),
    FOREIGN KEY (account_id, product_id) REFERENCES products (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX variants_by_ean ON variants (account_id, ean) WHERE ean IS NOT NULL;

-- One SKU names one product or variant of the account; a deleted product has none.
CREATE TABLE skus (
    account_id TEXT NOT NULL,
    sku        TEXT NOT NULL,
    product_id TEXT NOT NULL,
    PRIMARY KEY (account_id, sku)
) STRICT, WITHOUT ROWID;

CREATE INDEX skus_by_product ON skus (account_id, product_id);

-- variant_id is empty for the stock that is sold without naming a variant.
CREATE TABLE stock_levels (
    account_id   TEXT NOT NULL,
    product_id   TEXT NOT NULL,
    variant_id   TEXT NOT NULL,
    warehouse_id TEXT NOT NULL,
    quantity     INTEGER NOT NULL CHECK (quantity >= 0),
    PRIMARY KEY (account_id, product_id, variant_id, warehouse_id)
) STRICT, WITHOUT ROWID;

-- The ledger of stock: rows are only ever added, and their sum is the stock.
CREATE TABLE stock_movements (
    account_id     TEXT NOT NULL,
    id             TEXT NOT NULL,
    product_id     TEXT NOT NULL,
    variant_id     TEXT NOT NULL,
    warehouse_id   TEXT NOT NULL,
    delta          INTEGER NOT NULL CHECK (delta <> 0),
    quantity_after INTEGER NOT NULL CHECK (quantity_after >= 0),
    reason         TEXT NOT NULL CHECK (reason IN ('initial', 'adjustment', 'order', 'cancellation', 'removal')),
    reference      TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE customers (
    account_id  TEXT NOT NULL,
    id          TEXT NOT NULL,
    name        TEXT NOT NULL,
    email       TEXT,
    email_key   TEXT,
    phone       TEXT,
    rfc         TEXT,
    legal_name  TEXT,
    tax_regime  TEXT,
    tax_zip     TEXT,
    cfdi_use    TEXT,
    addresses   TEXT NOT NULL,
    metadata    TEXT NOT NULL,
    search_text TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX customers_by_email ON customers (account_id, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX customers_by_phone ON customers (account_id, phone) WHERE phone IS NOT NULL;
CREATE INDEX customers_by_rfc ON customers (account_id, rfc) WHERE rfc IS NOT NULL;

CREATE TABLE orders (
    account_id         TEXT NOT NULL,
    id                 TEXT NOT NULL,
    number             INTEGER NOT NULL,
    status             TEXT NOT NULL CHECK (status IN ('pending', 'paid', 'shipped', 'delivered', 'cancelled')),
    fulfillment_status TEXT NOT NULL CHECK (fulfillment_status IN ('unfulfilled', 'partially_fulfilled', 'fulfilled')),
    customer_id        TEXT NOT NULL,
    total              INTEGER NOT NULL CHECK (total >= 0),
    currency           TEXT NOT NULL,
    refund_due         INTEGER NOT NULL CHECK (refund_due >= 0),
    carrier            TEXT,
    tracking_number    TEXT,
    cancel_reason      TEXT,
    notes              TEXT,
    metadata           TEXT NOT NULL,
    search_text        TEXT NOT NULL,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    paid_at            INTEGER,
    shipped_at         INTEGER,
    delivered_at       INTEGER,
    cancelled_at       INTEGER,
    version            INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX orders_by_number ON orders (account_id, number);
CREATE INDEX orders_by_customer ON orders (account_id, customer_id, id);

CREATE TABLE order_items (
    account_id TEXT NOT NULL,
    order_id   TEXT NOT NULL,
    line       INTEGER NOT NULL,
    product_id TEXT NOT NULL,
    variant_id TEXT NOT NULL,
    name       TEXT NOT NULL,
    sku        TEXT NOT NULL,
    quantity   INTEGER NOT NULL CHECK (quantity > 0),
    unit_price INTEGER NOT NULL CHECK (unit_price >= 0),
    PRIMARY KEY (account_id, order_id, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE leads (
    account_id      TEXT NOT NULL,
    id              TEXT NOT NULL,
    name            TEXT NOT NULL,
    email           TEXT,
    phone           TEXT,
    company         TEXT,
    source          TEXT,
    status          TEXT NOT NULL CHECK (status IN ('new', 'contacted', 'qualified', 'converted', 'lost')),
    estimated_value INTEGER,
    currency        TEXT NOT NULL,
    owner_id        TEXT,
    notes           TEXT,
    tags            TEXT NOT NULL,
    deal_id         TEXT,
    customer_id     TEXT,
    search_text     TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    version         INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX leads_by_status ON leads (account_id, status, id);

CREATE TABLE deals (
    account_id  TEXT NOT NULL,
    id          TEXT NOT NULL,
    title       TEXT NOT NULL,
    value       INTEGER NOT NULL,
    currency    TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('open', 'won', 'lost')),
    customer_id TEXT NOT NULL,
    lead_id     TEXT NOT NULL,
    owner_id    TEXT,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX deals_by_customer ON deals (account_id, customer_id);
