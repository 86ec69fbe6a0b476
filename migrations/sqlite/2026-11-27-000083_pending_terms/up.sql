-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Indexes of words have no list of what they are still to take in here.
SELECT 1;
