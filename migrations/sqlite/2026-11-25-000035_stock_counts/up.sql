-- Counts of what lies in a warehouse, while goods go on moving.
CREATE TABLE stock_counts (
    account_id     TEXT NOT NULL,
    id             TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('draft', 'counting', 'posted', 'cancelled')),
    warehouse_id   TEXT NOT NULL,
    uncounted      TEXT NOT NULL CHECK (uncounted IN ('leave', 'zero')),
    note           TEXT,
    line_count     INTEGER NOT NULL,
    counted_count  INTEGER NOT NULL,
    posted_count   INTEGER NOT NULL,
    left_out_count INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    posted_at      INTEGER,
    cancelled_at   INTEGER,
    version        INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX stock_counts_open ON stock_counts (account_id, warehouse_id, id) WHERE status IN ('draft', 'counting');

-- What was counted of each, what was on hand at that moment, and how often that had changed and was corrected by then. posted is
-- what posting the line has changed.
CREATE TABLE count_lines (
    account_id       TEXT NOT NULL,
    count_id         TEXT NOT NULL,
    id               TEXT NOT NULL,
    product_id       TEXT NOT NULL,
    variant_id       TEXT NOT NULL,
    snapshot         INTEGER NOT NULL,
    counted          INTEGER CHECK (counted >= 0),
    on_hand_then     INTEGER,
    changes_then     INTEGER,
    corrections_then INTEGER,
    counted_by       TEXT,
    counted_at       INTEGER,
    posted           INTEGER,
    PRIMARY KEY (account_id, count_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX count_lines_by_product ON count_lines (account_id, count_id, product_id, variant_id);

-- How often what is on hand has changed, and how often because somebody corrected the record: moments have no order across nodes.
ALTER TABLE stock_levels ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE stock_levels ADD COLUMN corrections INTEGER NOT NULL DEFAULT 0;
