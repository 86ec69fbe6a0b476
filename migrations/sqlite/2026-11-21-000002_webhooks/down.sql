DROP TABLE replays;
DROP TABLE attempts;
DROP TABLE deliveries;
DROP TABLE subscriptions;
DROP INDEX events_by_position;
ALTER TABLE events DROP COLUMN position;
