DROP INDEX accounts_by_test_of;
ALTER TABLE accounts DROP COLUMN test_of;
