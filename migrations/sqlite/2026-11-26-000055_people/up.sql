-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- What an account is called in the addresses of its pages. Given when somebody first may see them.
ALTER TABLE accounts ADD COLUMN slug TEXT;
CREATE UNIQUE INDEX accounts_by_slug ON accounts (slug) WHERE slug IS NOT NULL;

-- The text that a key had before its last rotation, and until when it opens what the key does; and when one was last used, to
-- the hour. The last release does not know them: it refuses the text of before.
ALTER TABLE api_keys ADD COLUMN previous_digest TEXT;
ALTER TABLE api_keys ADD COLUMN previous_until INTEGER;
ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;
ALTER TABLE api_keys ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
CREATE UNIQUE INDEX api_keys_by_previous_digest ON api_keys (previous_digest) WHERE previous_digest IS NOT NULL;

-- What operators did is joined by what everybody does: fields as they were and as they are, and by which request. Only ever added to.
ALTER TABLE audit_entries ADD COLUMN actor_name TEXT;
ALTER TABLE audit_entries ADD COLUMN before TEXT;
ALTER TABLE audit_entries ADD COLUMN after TEXT;
ALTER TABLE audit_entries ADD COLUMN address TEXT;
ALTER TABLE audit_entries ADD COLUMN request_id TEXT;
CREATE INDEX audit_entries_by_actor ON audit_entries (account_id, actor, id);
CREATE INDEX audit_entries_by_action ON audit_entries (account_id, action, id);

-- People who sign in, whatever accounts they are members of. The password as its hash, the secret of the authenticator sealed;
-- totp_since is absent until a first code of it was given, and no code of totp_step or before is taken any more.
CREATE TABLE users (
    id                  TEXT NOT NULL,
    email               TEXT NOT NULL,
    name                TEXT NOT NULL,
    language            TEXT,
    theme               TEXT NOT NULL,
    density             TEXT NOT NULL,
    shortcuts           INTEGER NOT NULL CHECK (shortcuts IN (0, 1)),
    password            TEXT NOT NULL,
    password_changed_at INTEGER NOT NULL,
    totp_secret         TEXT,
    totp_since          INTEGER,
    totp_step           INTEGER,
    created_at          INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT;
CREATE UNIQUE INDEX users_by_email ON users (email);

-- The digests of those that were not used.
CREATE TABLE user_recovery_codes (
    user_id TEXT NOT NULL,
    digest  TEXT NOT NULL,
    PRIMARY KEY (user_id, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE memberships (
    account_id TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    role       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_by_user ON memberships (user_id, account_id);

CREATE TABLE user_sessions (
    user_id          TEXT NOT NULL,
    id               TEXT NOT NULL,
    digest           TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    last_seen_at     INTEGER NOT NULL,
    network          TEXT NOT NULL,
    user_agent       TEXT NOT NULL,
    authenticated_at INTEGER NOT NULL,
    owes_code        INTEGER NOT NULL CHECK (owes_code IN (0, 1)),
    PRIMARY KEY (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_sessions_by_user ON user_sessions (user_id, id);
CREATE UNIQUE INDEX user_sessions_by_digest ON user_sessions (digest);

-- Where users have signed in from lately: there they are not put off by failures that others make elsewhere.
CREATE TABLE user_networks (
    user_id TEXT NOT NULL,
    network TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;

CREATE TABLE invitations (
    account_id  TEXT NOT NULL,
    id          TEXT NOT NULL,
    email       TEXT NOT NULL,
    role        TEXT NOT NULL,
    digest      TEXT NOT NULL,
    invited_by  TEXT,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    accepted_at INTEGER,
    revoked_at  INTEGER,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX invitations_by_digest ON invitations (digest);

-- Links that work once: to set up, to set a password anew, to sign in.
CREATE TABLE user_links (
    id         TEXT NOT NULL,
    purpose    TEXT NOT NULL,
    account_id TEXT,
    user_id    TEXT,
    digest     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER,
    PRIMARY KEY (id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX user_links_by_digest ON user_links (digest);

-- How often somebody has failed to sign in lately, by what is counted.
CREATE TABLE sign_in_failures (
    name    TEXT NOT NULL,
    count   INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

-- Mail to people. Its text sealed, until the mail server has taken it.
CREATE TABLE mails (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    recipient  TEXT NOT NULL,
    subject    TEXT NOT NULL,
    text       TEXT,
    created_at INTEGER NOT NULL,
    sent_at    INTEGER,
    failure    TEXT,
    PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mails_by_age ON mails (account_id, created_at);
