-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- The position of an event is told by a counter of its account, not by its transaction any more. It goes on behind the last event.
INSERT INTO counters (account_id, name, value)
    SELECT a.id, 'events', e.position FROM accounts a
    JOIN LATERAL (SELECT position FROM events WHERE account_id = a.id ORDER BY position DESC LIMIT 1) e ON true;

-- What older programs write would lie anywhere in the feed.
UPDATE supported_programs SET migration = '20261126000054';
