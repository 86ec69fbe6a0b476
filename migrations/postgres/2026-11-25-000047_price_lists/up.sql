-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Price lists. Orders find the prices of what they sell by the key of price_list_items, and look for any only where
-- accounts.price_lists says that there are lists. Prices are millionths of the currency of the list.
CREATE TABLE price_lists (
    account_id  TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    name        TEXT NOT NULL,
    currency    TEXT NOT NULL,
    group_id    TEXT COLLATE "C",
    priority    BIGINT NOT NULL,
    valid_from  BIGINT,
    valid_until BIGINT,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    version     BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE TABLE price_list_items (
    account_id   TEXT COLLATE "C" NOT NULL,
    product_id   TEXT COLLATE "C" NOT NULL,
    variant_id   TEXT COLLATE "C" NOT NULL,
    list_id      TEXT COLLATE "C" NOT NULL,
    min_quantity BIGINT NOT NULL CHECK (min_quantity > 0),
    price        BIGINT NOT NULL CHECK (price >= 0),
    PRIMARY KEY (account_id, product_id, variant_id, list_id, min_quantity)
);

CREATE INDEX price_list_items_by_list ON price_list_items (account_id, list_id, product_id, variant_id, min_quantity);

ALTER TABLE accounts ADD COLUMN price_lists BIGINT NOT NULL DEFAULT 0;
