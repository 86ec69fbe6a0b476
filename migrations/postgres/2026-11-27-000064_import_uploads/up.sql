-- Files that wait until somebody has said what their columns hold, and for being imported once more.
CREATE TABLE import_uploads (
    account_id  TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    kind        TEXT COLLATE "C" NOT NULL,
    name        TEXT NOT NULL,
    file        TEXT NOT NULL,
    file_size   BIGINT NOT NULL,
    file_digest TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX import_uploads_same ON import_uploads (account_id, kind, file_digest);
