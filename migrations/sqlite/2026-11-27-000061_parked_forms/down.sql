ALTER TABLE user_sessions DROP COLUMN ended_at;
DROP TABLE parked_forms;
