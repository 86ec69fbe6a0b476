-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Forms that were filled in and not sent with success, of whoever filled them in; what is in them sealed.
CREATE TABLE parked_forms (
    account_id TEXT COLLATE "C" NOT NULL,
    user_id    TEXT COLLATE "C" NOT NULL,
    once       TEXT COLLATE "C" NOT NULL,
    page       TEXT NOT NULL,
    action     TEXT NOT NULL,
    sealed     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, user_id, once)
);
CREATE INDEX parked_forms_by_age ON parked_forms (account_id, updated_at);

-- When a session was ended. It is known for a while whose it was: a form that is still sent in it is kept for them.
ALTER TABLE user_sessions ADD COLUMN ended_at BIGINT;
