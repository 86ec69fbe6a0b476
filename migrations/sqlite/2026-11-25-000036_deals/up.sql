-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Where deals pass through. One row for each account that uses deals.
CREATE TABLE deal_settings (
    account_id          TEXT NOT NULL,
    default_pipeline_id TEXT NOT NULL,
    PRIMARY KEY (account_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE pipelines (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

-- probability is in percent.
CREATE TABLE pipeline_stages (
    account_id  TEXT NOT NULL,
    pipeline_id TEXT NOT NULL,
    id          TEXT NOT NULL,
    place       INTEGER NOT NULL,
    name        TEXT NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ('open', 'won', 'lost')),
    probability INTEGER NOT NULL CHECK (probability BETWEEN 0 AND 100),
    PRIMARY KEY (account_id, pipeline_id, id)
) STRICT, WITHOUT ROWID;

-- Deals in no stage are of the release before; the first use of pipelines takes them in.
CREATE TABLE deals_new (
    account_id     TEXT NOT NULL,
    id             TEXT NOT NULL,
    title          TEXT NOT NULL,
    value          INTEGER NOT NULL,
    currency       TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('open', 'won', 'lost')),
    customer_id    TEXT,
    lead_id        TEXT,
    owner_id       TEXT,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    version        INTEGER NOT NULL,
    pipeline_id    TEXT,
    stage_id       TEXT,
    rank           TEXT,
    left_stage_id  TEXT,
    lost_reason    TEXT,
    expected_close TEXT,
    won_at         INTEGER,
    lost_at        INTEGER,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

INSERT INTO deals_new
    (account_id, id, title, value, currency, status, customer_id, lead_id, owner_id, created_at, updated_at, version)
SELECT account_id, id, title, value, currency, status, customer_id, lead_id, owner_id, created_at, updated_at, version
FROM deals;

DROP TABLE deals;
ALTER TABLE deals_new RENAME TO deals;

CREATE INDEX deals_by_customer ON deals (account_id, customer_id);
CREATE INDEX deals_by_update ON deals (account_id, updated_at, id);
CREATE UNIQUE INDEX deals_in_order ON deals (account_id, stage_id, rank);

-- What the deals of a stage come to, kept with every change. A value is whole units and millionths, each summed up, for the
-- sum of many may be more than one number holds.
CREATE TABLE deal_sums (
    account_id  TEXT NOT NULL,
    pipeline_id TEXT NOT NULL,
    stage_id    TEXT NOT NULL,
    currency    TEXT NOT NULL,
    deal_count  INTEGER NOT NULL,
    units       INTEGER NOT NULL,
    micros      INTEGER NOT NULL,
    PRIMARY KEY (account_id, pipeline_id, stage_id, currency)
) STRICT, WITHOUT ROWID;

CREATE TABLE deal_history (
    account_id    TEXT NOT NULL,
    deal_id       TEXT NOT NULL,
    id            TEXT NOT NULL,
    what          TEXT NOT NULL
        CHECK (what IN ('created', 'updated', 'moved', 'won', 'lost', 'reopened')),
    from_stage_id TEXT,
    to_stage_id   TEXT,
    value         INTEGER NOT NULL,
    currency      TEXT NOT NULL,
    owner_id      TEXT,
    reason        TEXT,
    happened_at   INTEGER NOT NULL,
    PRIMARY KEY (account_id, deal_id, id)
) STRICT, WITHOUT ROWID;
