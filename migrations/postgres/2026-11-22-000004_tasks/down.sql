DROP TABLE audit_entries;
DROP TABLE tasks;
DROP FUNCTION premises_changed();
