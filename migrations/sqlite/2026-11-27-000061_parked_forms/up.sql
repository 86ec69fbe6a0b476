-- Forms that were filled in and not sent with success, of whoever filled them in; what is in them sealed.
CREATE TABLE parked_forms (
    account_id TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    once       TEXT NOT NULL,
    page       TEXT NOT NULL,
    action     TEXT NOT NULL,
    sealed     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, user_id, once)
) STRICT, WITHOUT ROWID;
CREATE INDEX parked_forms_by_age ON parked_forms (account_id, updated_at);

-- When a session was ended. It is known for a while whose it was: a form that is still sent in it is kept for them.
ALTER TABLE user_sessions ADD COLUMN ended_at INTEGER;
