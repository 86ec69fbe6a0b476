DELETE FROM sqlite_stat1 WHERE tbl IN (
    'products', 'customers', 'leads', 'deals', 'activities', 'quotes', 'transfers', 'stock_counts',
    'cost_changes', 'credit_entries', 'deliveries');
DELETE FROM sqlite_stat1 WHERE idx IN ('orders_by_payment', 'orders_by_external_id', 'orders_search_outdated');
UPDATE sqlite_stat1 SET stat = '1000000 1000000 1' WHERE tbl = 'orders' AND idx = 'orders';
ANALYZE sqlite_schema;
DROP INDEX deals_by_pipeline;
DROP INDEX deals_by_stage;
DROP INDEX deals_by_status;
DROP INDEX deals_by_owner;
DROP INDEX activities_by_kind;
DROP INDEX activities_by_assignee;
DROP INDEX activities_done;
DROP INDEX activities_open;
DROP INDEX quotes_by_state;
DROP INDEX payments_by_provider;
DROP INDEX payments_by_method;
DROP INDEX approvals_by_status;
DROP INDEX transfers_by_status;
DROP INDEX transfers_by_origin;
DROP INDEX transfers_by_destination;
DROP INDEX stock_counts_by_status;
DROP INDEX stock_counts_by_warehouse;
DROP INDEX cost_changes_by_variant;
DROP INDEX credit_entries_seldom;
DROP TABLE turns;
