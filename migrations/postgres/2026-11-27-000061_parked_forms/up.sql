-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Forms that were filled in and not sent with success, of whoever filled them in; what is in them sealed. Until sure_until the
-- answer of its operation, kept under its key, would tell if one had been carried out all the same.
CREATE TABLE parked_forms (
    account_id TEXT COLLATE "C" NOT NULL,
    user_id    TEXT COLLATE "C" NOT NULL,
    once       TEXT COLLATE "C" NOT NULL,
    page       TEXT NOT NULL,
    action     TEXT NOT NULL,
    operation  TEXT NOT NULL,
    sealed     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    sure_until BIGINT NOT NULL,
    PRIMARY KEY (account_id, user_id, once)
);
CREATE INDEX parked_forms_by_age ON parked_forms (account_id, updated_at);
