-- Files of rows that are worked off in batches. options, understood, preview and failure are JSON.
CREATE TABLE imports (
    account_id  TEXT NOT NULL,
    id          TEXT NOT NULL,
    kind        TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN
        ('queued', 'running', 'completed', 'completed_with_errors', 'failed', 'canceled')),
    options     TEXT NOT NULL,
    file        TEXT NOT NULL,
    file_size   INTEGER NOT NULL,
    file_digest TEXT NOT NULL,
    understood  TEXT,
    total       INTEGER,
    processed   INTEGER NOT NULL,
    created     INTEGER NOT NULL,
    updated     INTEGER NOT NULL,
    unchanged   INTEGER NOT NULL,
    failed      INTEGER NOT NULL,
    warned      INTEGER NOT NULL,
    kept_bytes  INTEGER NOT NULL,
    preview     TEXT,
    failure     TEXT,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    PRIMARY KEY (account_id, id),
    CHECK (processed = created + updated + unchanged + failed)
) STRICT;
CREATE UNIQUE INDEX imports_by_file ON imports (account_id, kind, file_digest) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX imports_running ON imports (account_id, kind) WHERE state = 'running';
CREATE INDEX imports_by_end ON imports (account_id, ended_at) WHERE ended_at IS NOT NULL;

-- What was wrong with their rows. cells, with the first error of a row, is JSON.
CREATE TABLE import_errors (
    account_id  TEXT NOT NULL,
    import_id   TEXT NOT NULL,
    row_number  INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    column_name TEXT,
    code        TEXT NOT NULL,
    value       TEXT NOT NULL,
    cells       TEXT,
    PRIMARY KEY (account_id, import_id, row_number, place)
) STRICT;
