-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.

-- Which node does for all what one has to do, and until when it is its turn.
CREATE TABLE turns (
    name    TEXT    NOT NULL,
    holder  TEXT    NOT NULL,
    ends_at INTEGER NOT NULL,
    PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

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

-- Without statistics SQLite takes an account for a few rows and walks all of them for those of one status. What it is told
-- here, as of orders before: long lists, and how many of their rows have the same in the columns of an index. Walked as a
-- whole a list is best walked as it lies, which is why an account looks smaller there. A table that is rebuilt later loses
-- what is said of it, and a new index of one of these tables needs its line; a test says so.
DELETE FROM sqlite_stat1 WHERE tbl = 'orders' AND idx = 'orders';
DELETE FROM sqlite_stat1 WHERE tbl IN (
    'products', 'customers', 'leads', 'deals', 'activities', 'quotes', 'transfers', 'stock_counts',
    'cost_changes', 'credit_entries', 'deliveries');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('orders', 'orders', '1000000 500000 1'),
    ('orders', 'orders_by_payment', '1000000 1000000 1 1'),
    ('orders', 'orders_by_external_id', '1000000 1000000 1'),
    ('orders', 'orders_search_outdated', '100 100 1'),
    ('products', 'products', '1000000 500000 1'),
    ('products', 'products_by_name', '1000000 1000000 2 1'),
    ('products', 'products_by_price', '1000000 1000000 100 1'),
    ('products', 'products_by_change', '1000000 1000000 2 1'),
    ('products', 'products_by_status', '1000000 1000000 200000 1'),
    ('products', 'products_by_ean', '1000000 1000000 1'),
    ('products', 'products_by_external_id', '1000000 1000000 1'),
    ('products', 'products_search_outdated', '100 100 1'),
    ('customers', 'customers', '1000000 500000 1'),
    ('customers', 'customers_by_change', '1000000 1000000 2 1'),
    ('customers', 'customers_by_email', '1000000 1000000 1'),
    ('customers', 'customers_by_phone', '1000000 1000000 2'),
    ('customers', 'customers_by_rfc', '1000000 1000000 2'),
    ('customers', 'customers_by_group', '1000000 1000000 50000 1'),
    ('customers', 'customers_by_external_id', '1000000 1000000 1'),
    ('customers', 'customers_renaming', '100 100 1'),
    ('customers', 'customers_search_outdated', '100 100 1'),
    ('leads', 'leads', '1000000 500000 1'),
    ('leads', 'leads_by_status', '1000000 1000000 200000 1'),
    ('leads', 'leads_by_change', '1000000 1000000 2 1'),
    ('leads', 'leads_by_source', '1000000 1000000 50000 1'),
    ('leads', 'leads_by_owner', '1000000 1000000 50000 1'),
    ('leads', 'leads_by_external_id', '1000000 1000000 1'),
    ('leads', 'leads_search_outdated', '100 100 1'),
    ('deals', 'deals', '1000000 500000 1'),
    ('deals', 'deals_by_customer', '1000000 1000000 10'),
    ('deals', 'deals_by_lead', '1000000 1000000 2'),
    ('deals', 'deals_by_update', '1000000 1000000 2 1'),
    ('deals', 'deals_in_order', '1000000 1000000 100000 1'),
    ('deals', 'deals_by_pipeline', '1000000 1000000 200000 1'),
    ('deals', 'deals_by_stage', '1000000 1000000 100000 1'),
    ('deals', 'deals_by_status', '1000000 1000000 200000 1'),
    ('deals', 'deals_by_owner', '1000000 1000000 50000 1'),
    ('activities', 'activities', '1000000 500000 1'),
    ('activities', 'activities_by_kind', '1000000 1000000 200000 1'),
    ('activities', 'activities_by_assignee', '1000000 1000000 50000 1'),
    ('activities', 'activities_by_deal', '1000000 1000000 20 1'),
    ('activities', 'activities_by_lead', '1000000 1000000 20 1'),
    ('activities', 'activities_by_customer', '1000000 1000000 20 1'),
    ('activities', 'activities_due', '1000000 1000000 5 1'),
    ('activities', 'activities_done', '400000 400000 1'),
    ('activities', 'activities_open', '200000 200000 1'),
    ('activities', 'activities_to_do', '200000 200000 10000 5 1'),
    ('quotes', 'quotes', '1000000 500000 1'),
    ('quotes', 'quotes_by_root', '1000000 1000000 2 1'),
    ('quotes', 'quotes_by_number', '1000000 1000000 2 1'),
    ('quotes', 'quotes_by_status', '1000000 1000000 200000 5'),
    ('quotes', 'quotes_by_state', '1000000 1000000 200000 1'),
    ('quotes', 'quotes_by_customer', '1000000 1000000 10 1'),
    ('quotes', 'quotes_by_deal', '1000000 1000000 2 1'),
    ('quotes', 'quotes_by_order', '1000000 1000000 1'),
    ('transfers', 'transfers', '1000000 500000 1'),
    ('transfers', 'transfers_open', '1000 1000 1'),
    ('transfers', 'transfers_by_status', '1000000 1000000 200000 1'),
    ('transfers', 'transfers_by_origin', '1000000 1000000 50000 1'),
    ('transfers', 'transfers_by_destination', '1000000 1000000 50000 1'),
    ('stock_counts', 'stock_counts', '1000000 500000 1'),
    ('stock_counts', 'stock_counts_open', '100 100 10 1'),
    ('stock_counts', 'stock_counts_by_status', '1000000 1000000 200000 1'),
    ('stock_counts', 'stock_counts_by_warehouse', '1000000 1000000 50000 1'),
    ('cost_changes', 'cost_changes', '1000000 500000 1'),
    ('cost_changes', 'cost_changes_by_product', '1000000 1000000 100 50 1'),
    ('cost_changes', 'cost_changes_by_variant', '1000000 1000000 50 1'),
    ('credit_entries', 'credit_entries', '1000000 500000 1'),
    ('credit_entries', 'credit_entries_by_invoice', '1000000 1000000 3 1'),
    ('credit_entries', 'credit_entries_by_withholding', '1000000 1000000 3 1'),
    ('credit_entries', 'credit_entries_seldom', '10000 10000 5000 1'),
    ('deliveries', 'deliveries', '1000000 1000000 200000 1'),
    ('deliveries', 'deliveries_due', '1000 1000 200 2 1'),
    ('deliveries', 'deliveries_failed', '1000 1000 200 1');
ANALYZE sqlite_schema;
