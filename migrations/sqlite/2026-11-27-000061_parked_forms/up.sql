-- Forms that were filled in and not sent with success, of whoever filled them in; what is in them sealed. Until sure_until the
-- answer of its operation, kept under its key, would tell if one had been carried out all the same.
CREATE TABLE parked_forms (
    account_id TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    once       TEXT NOT NULL,
    page       TEXT NOT NULL,
    action     TEXT NOT NULL,
    operation  TEXT NOT NULL,
    sealed     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    sure_until INTEGER NOT NULL,
    PRIMARY KEY (account_id, user_id, once)
) STRICT, WITHOUT ROWID;
CREATE INDEX parked_forms_by_age ON parked_forms (account_id, updated_at);
