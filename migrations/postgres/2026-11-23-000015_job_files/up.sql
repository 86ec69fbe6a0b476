-- Files that jobs make, in pieces, so that every node can hand them out and none holds a whole one.
CREATE TABLE job_files (
    account_id TEXT COLLATE "C" NOT NULL,
    task_id    TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, task_id)
);

CREATE INDEX job_files_expired ON job_files (account_id, expires_at);

CREATE TABLE job_file_pieces (
    account_id TEXT COLLATE "C" NOT NULL,
    task_id    TEXT COLLATE "C" NOT NULL,
    position   BIGINT NOT NULL,
    bytes      BYTEA NOT NULL,
    PRIMARY KEY (account_id, task_id, position)
);

-- They are compressed already.
ALTER TABLE job_file_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
