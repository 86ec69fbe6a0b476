-- What keys asked the API for: every write and every failure, and reads counted by key, route and minute.
CREATE TABLE api_requests (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    key_id     TEXT NOT NULL,
    method     TEXT NOT NULL,
    route      TEXT NOT NULL,
    ids        TEXT,
    status     INTEGER NOT NULL,
    code       TEXT,
    micros     INTEGER NOT NULL,
    request_id TEXT,
    network    TEXT,
    count      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
