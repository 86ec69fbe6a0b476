-- Links that lead whoever holds one to one thing of an account. A token is looked up by its digest, which is how the
-- account becomes known; to its owner it can be shown again, so it is kept sealed.
CREATE TABLE links (
    account_id TEXT NOT NULL,
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL,
    digest     TEXT NOT NULL,
    token      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, kind, subject)
) STRICT;

CREATE UNIQUE INDEX links_by_digest ON links (digest);
CREATE INDEX links_expired ON links (account_id, expires_at);
