-- What needs whose approval. conditions and levels are JSON.
CREATE TABLE approval_rules (
    account_id          TEXT COLLATE "C" NOT NULL,
    id                  TEXT COLLATE "C" NOT NULL,
    entity_type         TEXT COLLATE "C" NOT NULL,
    name                TEXT,
    currency            TEXT,
    conditions          TEXT NOT NULL,
    levels              TEXT NOT NULL,
    allow_self_approval BOOLEAN NOT NULL,
    expires_after_hours BIGINT NOT NULL CHECK (expires_after_hours > 0),
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    version             BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX approval_rules_by_type ON approval_rules (account_id, entity_type);

-- Requests. command is the JSON of what waits for one, of the kind command_kind; result that of what it has led to: by effect what
-- was made, or why it was refused. digest is equal as long as what a request is about is as it was.
CREATE TABLE approvals (
    account_id   TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    entity_type  TEXT COLLATE "C" NOT NULL,
    entity_id    TEXT COLLATE "C" NOT NULL,
    command_kind TEXT,
    command      TEXT,
    facts        TEXT NOT NULL,
    digest       TEXT NOT NULL,
    requirements TEXT NOT NULL,
    reason       TEXT,
    requested_by TEXT NOT NULL,
    status       TEXT NOT NULL
        CHECK (status IN ('pending', 'approved', 'rejected', 'canceled', 'expired', 'superseded')),
    level        BIGINT NOT NULL CHECK (level >= 0),
    effect       TEXT NOT NULL CHECK (effect IN ('none', 'queued', 'applied', 'failed')),
    result       TEXT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    ended_at     BIGINT,
    version      BIGINT NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK ((command_kind IS NULL) = (command IS NULL)),
    CHECK (effect = 'none' OR (status = 'approved' AND command IS NOT NULL)),
    CHECK ((result IS NULL) = (effect IN ('none', 'queued')))
);
CREATE INDEX approvals_by_entity ON approvals (account_id, entity_id, id);
CREATE INDEX approvals_pending ON approvals (account_id, expires_at) WHERE status = 'pending';

-- Who has decided: each person once for a request, on whatever level.
CREATE TABLE approval_decisions (
    account_id  TEXT COLLATE "C" NOT NULL,
    approval_id TEXT COLLATE "C" NOT NULL,
    person      TEXT COLLATE "C" NOT NULL,
    verdict     TEXT NOT NULL CHECK (verdict IN ('approve', 'reject')),
    level       BIGINT NOT NULL CHECK (level >= 0),
    comment     TEXT,
    decided_at  BIGINT NOT NULL,
    place       BIGINT NOT NULL,
    PRIMARY KEY (account_id, approval_id, person),
    FOREIGN KEY (account_id, approval_id) REFERENCES approvals (account_id, id)
);

-- Whether the holder of a key may approve. Keys that the last release makes may not.
ALTER TABLE api_keys ADD COLUMN may_approve BOOLEAN NOT NULL DEFAULT FALSE;
