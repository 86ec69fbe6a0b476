-- Counts of what lies in a warehouse, while goods go on moving.
CREATE TABLE stock_counts (
    account_id    TEXT COLLATE "C" NOT NULL,
    id            TEXT COLLATE "C" NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('draft', 'counting', 'posted', 'cancelled')),
    warehouse_id  TEXT COLLATE "C" NOT NULL,
    uncounted     TEXT NOT NULL CHECK (uncounted IN ('leave', 'zero')),
    note          TEXT,
    line_count    BIGINT NOT NULL,
    counted_count BIGINT NOT NULL,
    posted_count  BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    posted_at     BIGINT,
    cancelled_at  BIGINT,
    version       BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

-- What was counted of each, what was on hand at that moment, and by then the last movement that corrected it. posted is what
-- posting the line has changed.
CREATE TABLE count_lines (
    account_id   TEXT COLLATE "C" NOT NULL,
    count_id     TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    product_id   TEXT COLLATE "C" NOT NULL,
    variant_id   TEXT COLLATE "C" NOT NULL,
    snapshot     BIGINT NOT NULL,
    counted      BIGINT CHECK (counted >= 0),
    on_hand_then BIGINT,
    correction   TEXT COLLATE "C",
    counted_by   TEXT,
    counted_at   BIGINT,
    posted       BIGINT,
    PRIMARY KEY (account_id, count_id, id)
);
CREATE UNIQUE INDEX count_lines_by_product ON count_lines (account_id, count_id, product_id, variant_id);
