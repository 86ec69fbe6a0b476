-- Files that wait until somebody has said what their columns hold, and for being imported once more.
CREATE TABLE import_uploads (
    account_id  TEXT NOT NULL,
    id          TEXT NOT NULL,
    kind        TEXT NOT NULL,
    name        TEXT NOT NULL,
    file        TEXT NOT NULL,
    file_size   INTEGER NOT NULL,
    file_digest TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX import_uploads_same ON import_uploads (account_id, kind, file_digest);
