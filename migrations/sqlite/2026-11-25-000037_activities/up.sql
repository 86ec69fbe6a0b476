-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- What people do about deals, leads and customers.
CREATE TABLE activities (
    account_id  TEXT NOT NULL,
    id          TEXT NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ('call', 'meeting', 'task', 'note')),
    subject     TEXT NOT NULL,
    notes       TEXT,
    due_at      INTEGER,
    done_at     INTEGER,
    assignee_id TEXT,
    deal_id     TEXT,
    lead_id     TEXT,
    customer_id TEXT,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX activities_by_deal ON activities (account_id, deal_id, id) WHERE deal_id IS NOT NULL;
CREATE INDEX activities_by_lead ON activities (account_id, lead_id, id) WHERE lead_id IS NOT NULL;
CREATE INDEX activities_by_customer ON activities (account_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX activities_due ON activities (account_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX activities_to_do ON activities (account_id, assignee_id, due_at, id) WHERE done_at IS NULL AND due_at IS NOT NULL;

-- The lead that one has become part of.
ALTER TABLE leads ADD COLUMN merged_into TEXT;
CREATE INDEX deals_by_lead ON deals (account_id, lead_id) WHERE lead_id IS NOT NULL;
