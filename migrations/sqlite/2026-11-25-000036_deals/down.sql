DROP TABLE deal_history;
DROP TABLE deal_sums;

CREATE TABLE deals_new (
    account_id  TEXT NOT NULL,
    id          TEXT NOT NULL,
    title       TEXT NOT NULL,
    value       INTEGER NOT NULL,
    currency    TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('open', 'won', 'lost')),
    customer_id TEXT NOT NULL,
    lead_id     TEXT NOT NULL,
    owner_id    TEXT,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

INSERT INTO deals_new
SELECT account_id, id, title, value, currency, status, customer_id, lead_id, owner_id, created_at, updated_at, version
FROM deals WHERE customer_id IS NOT NULL AND lead_id IS NOT NULL;

DROP TABLE deals;
ALTER TABLE deals_new RENAME TO deals;

CREATE INDEX deals_by_customer ON deals (account_id, customer_id);

DROP TABLE pipeline_stages;
DROP TABLE pipelines;
DROP TABLE deal_settings;
