-- Keep in step with the SQLite migration of the same name; a test compares the two.

-- Which node does for all what one has to do, and until when it is its turn.
CREATE TABLE turns (
    name    TEXT COLLATE "C" NOT NULL,
    holder  TEXT COLLATE "C" NOT NULL,
    ends_at BIGINT NOT NULL,
    PRIMARY KEY (name)
);

-- What lists are filtered by, in the order in which they are shown.
CREATE INDEX deals_by_pipeline ON deals (account_id, pipeline_id, id);
CREATE INDEX deals_by_stage ON deals (account_id, stage_id, id);
CREATE INDEX deals_by_status ON deals (account_id, status, id);
CREATE INDEX deals_by_owner ON deals (account_id, owner_id, id) WHERE owner_id IS NOT NULL;
CREATE INDEX activities_by_kind ON activities (account_id, kind, id);
CREATE INDEX activities_by_assignee ON activities (account_id, assignee_id, id) WHERE assignee_id IS NOT NULL;
CREATE INDEX activities_done ON activities (account_id, id) WHERE done_at IS NOT NULL;
CREATE INDEX activities_open ON activities (account_id, id) WHERE done_at IS NULL AND kind <> 'note';
CREATE INDEX quotes_by_state ON quotes (account_id, status, id);
CREATE INDEX payments_by_provider ON payments (account_id, provider, id);
CREATE INDEX payments_by_method ON payments (account_id, method, id);
CREATE INDEX approvals_by_status ON approvals (account_id, status, id);
CREATE INDEX transfers_by_status ON transfers (account_id, status, id);
CREATE INDEX transfers_by_origin ON transfers (account_id, from_id, id);
CREATE INDEX transfers_by_destination ON transfers (account_id, to_id, id);
CREATE INDEX stock_counts_by_status ON stock_counts (account_id, status, id);
CREATE INDEX stock_counts_by_warehouse ON stock_counts (account_id, warehouse_id, id);
CREATE INDEX cost_changes_by_variant ON cost_changes (account_id, variant_id, id);
-- Grants and releases among the many entries of stampings.
CREATE INDEX credit_entries_seldom ON credit_entries (account_id, kind, id) WHERE kind IN ('grant', 'release');
