-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- What people do about deals, leads and customers.
CREATE TABLE activities (
    account_id  TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    kind        TEXT COLLATE "C" NOT NULL CHECK (kind IN ('call', 'meeting', 'task', 'note')),
    subject     TEXT NOT NULL,
    notes       TEXT,
    due_at      BIGINT,
    done_at     BIGINT,
    assignee_id TEXT COLLATE "C",
    deal_id     TEXT COLLATE "C",
    lead_id     TEXT COLLATE "C",
    customer_id TEXT COLLATE "C",
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    version     BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE INDEX activities_by_deal ON activities (account_id, deal_id, id) WHERE deal_id IS NOT NULL;
CREATE INDEX activities_by_lead ON activities (account_id, lead_id, id) WHERE lead_id IS NOT NULL;
CREATE INDEX activities_by_customer ON activities (account_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX activities_due ON activities (account_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX activities_to_do ON activities (account_id, assignee_id, due_at, id) WHERE done_at IS NULL AND due_at IS NOT NULL;

-- The lead that one has become part of.
ALTER TABLE leads ADD COLUMN merged_into TEXT COLLATE "C";
CREATE INDEX deals_by_lead ON deals (account_id, lead_id) WHERE lead_id IS NOT NULL;
