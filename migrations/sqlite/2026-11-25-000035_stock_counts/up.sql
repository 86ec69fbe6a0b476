-- Counts of what lies in a warehouse, while goods go on moving.
CREATE TABLE stock_counts (
    account_id    TEXT NOT NULL,
    id            TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('draft', 'counting', 'posted', 'cancelled')),
    warehouse_id  TEXT NOT NULL,
    uncounted     TEXT NOT NULL CHECK (uncounted IN ('leave', 'zero')),
    note          TEXT,
    line_count    INTEGER NOT NULL,
    counted_count INTEGER NOT NULL,
    posted_count  INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    posted_at     INTEGER,
    cancelled_at  INTEGER,
    version       INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

-- What was counted of each, what was on hand at that moment, and by then the last movement that corrected it. posted is what
-- posting the line has changed.
CREATE TABLE count_lines (
    account_id   TEXT NOT NULL,
    count_id     TEXT NOT NULL,
    id           TEXT NOT NULL,
    product_id   TEXT NOT NULL,
    variant_id   TEXT NOT NULL,
    snapshot     INTEGER NOT NULL,
    counted      INTEGER CHECK (counted >= 0),
    on_hand_then INTEGER,
    correction   TEXT,
    counted_by   TEXT,
    counted_at   INTEGER,
    posted       INTEGER,
    PRIMARY KEY (account_id, count_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX count_lines_by_product ON count_lines (account_id, count_id, product_id, variant_id);
