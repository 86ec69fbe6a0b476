-- Files of rows that are worked off in batches. options, understood, preview and failure are JSON.
CREATE TABLE imports (
    account_id  TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    kind        TEXT COLLATE "C" NOT NULL,
    state       TEXT COLLATE "C" NOT NULL CHECK (state IN
        ('queued', 'running', 'completed', 'completed_with_errors', 'failed', 'canceled')),
    options     TEXT NOT NULL,
    file        TEXT COLLATE "C" NOT NULL,
    file_size   BIGINT NOT NULL,
    file_digest TEXT COLLATE "C" NOT NULL,
    understood  TEXT,
    total       BIGINT,
    processed   BIGINT NOT NULL,
    created     BIGINT NOT NULL,
    updated     BIGINT NOT NULL,
    unchanged   BIGINT NOT NULL,
    failed      BIGINT NOT NULL,
    warned      BIGINT NOT NULL,
    kept_bytes  BIGINT NOT NULL,
    preview     TEXT,
    failure     TEXT,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (account_id, id),
    CHECK (processed = created + updated + unchanged + failed)
);
CREATE UNIQUE INDEX imports_by_file ON imports (account_id, kind, file_digest) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX imports_running ON imports (account_id, kind) WHERE state = 'running';
CREATE INDEX imports_by_end ON imports (account_id, ended_at) WHERE ended_at IS NOT NULL;

-- What was wrong with their rows. cells, with the first error of a row, is JSON.
CREATE TABLE import_errors (
    account_id  TEXT COLLATE "C" NOT NULL,
    import_id   TEXT COLLATE "C" NOT NULL,
    row_number  BIGINT NOT NULL,
    place       BIGINT NOT NULL,
    column_name TEXT,
    code        TEXT COLLATE "C" NOT NULL,
    value       TEXT NOT NULL,
    cells       TEXT,
    PRIMARY KEY (account_id, import_id, row_number, place)
);
