-- The live account that a test account belongs to: each has one test account at most. Accounts without it are live.
ALTER TABLE accounts ADD COLUMN test_of TEXT;
CREATE UNIQUE INDEX accounts_by_test_of ON accounts (test_of) WHERE test_of IS NOT NULL;
