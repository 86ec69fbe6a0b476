-- Links that lead whoever holds one to one thing of an account. A token is looked up by its digest, which is how the
-- account becomes known; to its owner it can be shown again, so it is kept sealed.
CREATE TABLE links (
    account_id TEXT COLLATE "C" NOT NULL,
    kind       TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    digest     TEXT COLLATE "C" NOT NULL,
    token      TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, kind, subject)
);

CREATE UNIQUE INDEX links_by_digest ON links (digest);
CREATE INDEX links_expired ON links (account_id, expires_at);
