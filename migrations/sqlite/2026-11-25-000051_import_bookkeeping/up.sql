-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- How often in a row the file of an import was not where a worker looked for it.
ALTER TABLE imports ADD COLUMN file_misses INTEGER NOT NULL DEFAULT 0;

-- The name of a category as names are compared. Empty in rows that nobody has written since: they are read whatever is looked for.
ALTER TABLE categories ADD COLUMN folded_name TEXT;
CREATE INDEX categories_by_name ON categories (account_id, folded_name);

-- What rows of an import of stock were about so far: a product or variant, and where it lies. Kept until the import has ended.
CREATE TABLE import_stock (
    account_id   TEXT NOT NULL,
    import_id    TEXT NOT NULL,
    item_id      TEXT NOT NULL,
    warehouse_id TEXT NOT NULL,
    PRIMARY KEY (account_id, import_id, item_id, warehouse_id)
) STRICT, WITHOUT ROWID;

-- What told an event with many others at once, an import, or what it is about, if that is still to be told of by such an event.
ALTER TABLE events ADD COLUMN batch TEXT;

-- Ranges of such events whose deliveries are opened little by little: of each subscription one for each of its versions that was told
-- of some, with what it wanted then. The one of the smallest turn goes on next; opened_at is when it last opened some. The last
-- release does not know them: what its nodes tell has its deliveries at once.
CREATE TABLE backlogs (
    account_id      TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    version         INTEGER NOT NULL,
    events          TEXT NOT NULL,
    after_position  INTEGER NOT NULL,
    after_event     TEXT NOT NULL,
    until_position  INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    opened_at       INTEGER,
    turn            INTEGER NOT NULL,
    PRIMARY KEY (account_id, subscription_id, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX backlogs_by_turn ON backlogs (turn);
