-- Files that jobs make, in pieces, so that every node can hand them out and none holds a whole one.
CREATE TABLE job_files (
    account_id TEXT NOT NULL,
    task_id    TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, task_id)
) STRICT;

CREATE INDEX job_files_expired ON job_files (account_id, expires_at);

CREATE TABLE job_file_pieces (
    account_id TEXT NOT NULL,
    task_id    TEXT NOT NULL,
    position   INTEGER NOT NULL,
    bytes      BLOB NOT NULL,
    PRIMARY KEY (account_id, task_id, position)
) STRICT;
