DROP TABLE cost_changes;
DROP TABLE stock_receipts;
