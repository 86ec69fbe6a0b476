ALTER TABLE bulk_action_rows DROP COLUMN version;
ALTER TABLE withholdings DROP COLUMN draft_version;
ALTER TABLE invoices DROP COLUMN draft_version;
