-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- Where one writer commits after the other, the position of the last event is the counter of the feed, as before.
UPDATE supported_programs SET migration = '20261126000054';
