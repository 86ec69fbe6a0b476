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
ALTER TABLE events ADD COLUMN batch TEXT;

-- Ranges of such events whose deliveries are opened little by little: of each subscription one for each of its versions that was told
-- of some, with what it wanted then. The one of the smallest turn goes on next; opened_at is when it last opened some. The last
-- release does not know them: what its nodes tell has its deliveries at once.
CREATE TABLE backlogs (
    account_id      TEXT COLLATE "C" NOT NULL,
    subscription_id TEXT COLLATE "C" NOT NULL,
    version         BIGINT NOT NULL,
    events          TEXT NOT NULL,
    after_position  BIGINT NOT NULL,
    after_event     TEXT COLLATE "C" NOT NULL,
    until_position  BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    opened_at       BIGINT,
    turn            BIGINT NOT NULL,
    PRIMARY KEY (account_id, subscription_id, version)
);
CREATE INDEX backlogs_by_turn ON backlogs (turn);
