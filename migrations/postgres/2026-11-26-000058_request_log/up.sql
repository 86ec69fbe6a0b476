-- What keys asked the API for: every write and every failure, and reads counted by key, route and minute.
CREATE TABLE api_requests (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    key_id     TEXT COLLATE "C" NOT NULL,
    method     TEXT COLLATE "C" NOT NULL,
    route      TEXT COLLATE "C" NOT NULL,
    ids        TEXT,
    status     BIGINT NOT NULL,
    code       TEXT,
    micros     BIGINT NOT NULL,
    request_id TEXT,
    network    TEXT,
    count      BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);
