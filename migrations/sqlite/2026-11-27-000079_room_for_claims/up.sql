-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Here a row is written where it is, so there is no room to be left for it.
SELECT 1;
