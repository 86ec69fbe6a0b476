ALTER TABLE api_keys DROP COLUMN may_approve;
DROP TABLE approval_decisions;
DROP TABLE approvals;
DROP TABLE approval_rules;
