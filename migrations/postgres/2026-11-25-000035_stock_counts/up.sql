-- Counts of what lies in a warehouse, while goods go on moving.
CREATE TABLE stock_counts (
    account_id     TEXT COLLATE "C" NOT NULL,
    id             TEXT COLLATE "C" NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('draft', 'counting', 'posted', 'cancelled')),
    warehouse_id   TEXT COLLATE "C" NOT NULL,
    uncounted      TEXT NOT NULL CHECK (uncounted IN ('leave', 'zero')),
    note           TEXT,
    line_count     BIGINT NOT NULL,
    counted_count  BIGINT NOT NULL,
    posted_count   BIGINT NOT NULL,
    left_out_count BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    posted_at      BIGINT,
    cancelled_at   BIGINT,
    version        BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX stock_counts_open ON stock_counts (account_id, warehouse_id, id) WHERE status IN ('draft', 'counting');

-- What was counted of each, what was on hand at that moment, and how often that had changed and was corrected by then. posted is
-- what posting the line has changed.
CREATE TABLE count_lines (
    account_id       TEXT COLLATE "C" NOT NULL,
    count_id         TEXT COLLATE "C" NOT NULL,
    id               TEXT COLLATE "C" NOT NULL,
    product_id       TEXT COLLATE "C" NOT NULL,
    variant_id       TEXT COLLATE "C" NOT NULL,
    snapshot         BIGINT NOT NULL,
    counted          BIGINT CHECK (counted >= 0),
    on_hand_then     BIGINT,
    changes_then     BIGINT,
    corrections_then BIGINT,
    counted_by       TEXT,
    counted_at       BIGINT,
    posted           BIGINT,
    PRIMARY KEY (account_id, count_id, id)
);
CREATE UNIQUE INDEX count_lines_by_product ON count_lines (account_id, count_id, product_id, variant_id);

-- How often what is on hand has changed, and how often because somebody corrected the record: moments have no order across nodes.
ALTER TABLE stock_levels ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE stock_levels ADD COLUMN corrections BIGINT NOT NULL DEFAULT 0;
