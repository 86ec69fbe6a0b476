-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Where deals pass through. One row for each account that uses deals: whoever changes where a deal is locks it.
CREATE TABLE deal_settings (
    account_id          TEXT COLLATE "C" NOT NULL,
    default_pipeline_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id)
);

CREATE TABLE pipelines (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

-- probability is in percent.
CREATE TABLE pipeline_stages (
    account_id  TEXT COLLATE "C" NOT NULL,
    pipeline_id TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    place       BIGINT NOT NULL,
    name        TEXT NOT NULL,
    kind        TEXT COLLATE "C" NOT NULL CHECK (kind IN ('open', 'won', 'lost')),
    probability BIGINT NOT NULL CHECK (probability BETWEEN 0 AND 100),
    PRIMARY KEY (account_id, pipeline_id, id)
);

-- Deals in no stage are of the release before; the first use of pipelines takes them in.
ALTER TABLE deals ALTER COLUMN customer_id DROP NOT NULL;
ALTER TABLE deals ALTER COLUMN lead_id DROP NOT NULL;
ALTER TABLE deals ADD COLUMN pipeline_id TEXT COLLATE "C";
ALTER TABLE deals ADD COLUMN stage_id TEXT COLLATE "C";
ALTER TABLE deals ADD COLUMN rank TEXT COLLATE "C";
ALTER TABLE deals ADD COLUMN left_stage_id TEXT COLLATE "C";
ALTER TABLE deals ADD COLUMN lost_reason TEXT;
ALTER TABLE deals ADD COLUMN expected_close TEXT COLLATE "C";
ALTER TABLE deals ADD COLUMN won_at BIGINT;
ALTER TABLE deals ADD COLUMN lost_at BIGINT;

CREATE INDEX deals_by_update ON deals (account_id, updated_at, id);
CREATE UNIQUE INDEX deals_in_order ON deals (account_id, stage_id, rank);

-- What the deals of a stage come to, kept with every change. A value is whole units and millionths, each summed up, for the
-- sum of many may be more than one number holds.
CREATE TABLE deal_sums (
    account_id  TEXT COLLATE "C" NOT NULL,
    pipeline_id TEXT COLLATE "C" NOT NULL,
    stage_id    TEXT COLLATE "C" NOT NULL,
    currency    TEXT COLLATE "C" NOT NULL,
    deal_count  BIGINT NOT NULL,
    units       BIGINT NOT NULL,
    micros      BIGINT NOT NULL,
    PRIMARY KEY (account_id, pipeline_id, stage_id, currency)
);

CREATE TABLE deal_history (
    account_id    TEXT COLLATE "C" NOT NULL,
    deal_id       TEXT COLLATE "C" NOT NULL,
    id            TEXT COLLATE "C" NOT NULL,
    what          TEXT COLLATE "C" NOT NULL
        CHECK (what IN ('created', 'updated', 'moved', 'won', 'lost', 'reopened')),
    from_stage_id TEXT COLLATE "C",
    to_stage_id   TEXT COLLATE "C",
    value         BIGINT NOT NULL,
    currency      TEXT COLLATE "C" NOT NULL,
    owner_id      TEXT,
    reason        TEXT,
    happened_at   BIGINT NOT NULL,
    PRIMARY KEY (account_id, deal_id, id)
);
