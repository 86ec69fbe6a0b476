-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- How often in a row the file of an import was not where a worker looked for it.
ALTER TABLE imports ADD COLUMN file_misses BIGINT NOT NULL DEFAULT 0;

-- The name of a category as names are compared. Empty in rows that nobody has written since: they are read whatever is looked for.
ALTER TABLE categories ADD COLUMN folded_name TEXT COLLATE "C";
CREATE INDEX categories_by_name ON categories (account_id, folded_name);

-- What rows of an import of stock were about so far: a product or variant, and where it lies. Kept until the import has ended.
CREATE TABLE import_stock (
    account_id   TEXT COLLATE "C" NOT NULL,
    import_id    TEXT COLLATE "C" NOT NULL,
    item_id      TEXT COLLATE "C" NOT NULL,
    warehouse_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, import_id, item_id, warehouse_id)
);

-- What told an event with many others at once, an import, or what it is about, if that is still to be told of by such an event.
-- Their deliveries are opened by one replay of each subscription, little by little; opened_at is when it last opened some.
ALTER TABLE events ADD COLUMN batch TEXT;
ALTER TABLE replays ADD COLUMN of_batches BIGINT;
ALTER TABLE replays ADD COLUMN opened_at BIGINT;
CREATE UNIQUE INDEX replays_of_batches ON replays (account_id, subscription_id) WHERE of_batches = 1;
