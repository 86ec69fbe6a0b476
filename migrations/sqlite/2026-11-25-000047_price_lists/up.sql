-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Price lists. Orders find the prices of what they sell by the key of price_list_items, and look for any only where
-- accounts.price_lists says that there are lists. Prices are millionths of the currency of the list.
CREATE TABLE price_lists (
    account_id  TEXT NOT NULL,
    id          TEXT NOT NULL,
    name        TEXT NOT NULL,
    currency    TEXT NOT NULL,
    group_id    TEXT,
    priority    INTEGER NOT NULL,
    valid_from  INTEGER,
    valid_until INTEGER,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE price_list_items (
    account_id   TEXT NOT NULL,
    product_id   TEXT NOT NULL,
    variant_id   TEXT NOT NULL,
    list_id      TEXT NOT NULL,
    min_quantity INTEGER NOT NULL CHECK (min_quantity > 0),
    price        INTEGER NOT NULL CHECK (price >= 0),
    PRIMARY KEY (account_id, product_id, variant_id, list_id, min_quantity)
) STRICT, WITHOUT ROWID;

CREATE INDEX price_list_items_by_list ON price_list_items (account_id, list_id, product_id, variant_id, min_quantity);

ALTER TABLE accounts ADD COLUMN price_lists INTEGER NOT NULL DEFAULT 0;
