-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- What an account is called in the addresses of its pages. Given when somebody first may see them.
ALTER TABLE accounts ADD COLUMN slug TEXT COLLATE "C";
CREATE UNIQUE INDEX accounts_by_slug ON accounts (slug) WHERE slug IS NOT NULL;

-- The text that a key had before its last rotation, and until when it opens what the key does; and when one was last used, to
-- the hour. The last release does not know them: it refuses the text of before.
ALTER TABLE api_keys ADD COLUMN previous_digest TEXT COLLATE "C";
ALTER TABLE api_keys ADD COLUMN previous_until BIGINT;
ALTER TABLE api_keys ADD COLUMN last_used_at BIGINT;
ALTER TABLE api_keys ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
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
    id                  TEXT COLLATE "C" NOT NULL,
    email               TEXT COLLATE "C" NOT NULL,
    name                TEXT NOT NULL,
    language            TEXT,
    theme               TEXT NOT NULL,
    density             TEXT NOT NULL,
    shortcuts           BOOLEAN NOT NULL,
    password            TEXT NOT NULL,
    password_changed_at BIGINT NOT NULL,
    totp_secret         TEXT,
    totp_since          BIGINT,
    totp_step           BIGINT,
    created_at          BIGINT NOT NULL,
    PRIMARY KEY (id)
);
CREATE UNIQUE INDEX users_by_email ON users (email);

-- The digests of those that were not used.
CREATE TABLE user_recovery_codes (
    user_id TEXT COLLATE "C" NOT NULL,
    digest  TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, digest)
);

CREATE TABLE memberships (
    account_id TEXT COLLATE "C" NOT NULL,
    user_id    TEXT COLLATE "C" NOT NULL,
    role       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id, account_id);

CREATE TABLE user_sessions (
    user_id          TEXT COLLATE "C" NOT NULL,
    id               TEXT COLLATE "C" NOT NULL,
    digest           TEXT COLLATE "C" NOT NULL,
    created_at       BIGINT NOT NULL,
    last_seen_at     BIGINT NOT NULL,
    network          TEXT NOT NULL,
    user_agent       TEXT NOT NULL,
    authenticated_at BIGINT NOT NULL,
    owes_code        BOOLEAN NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX user_sessions_by_user ON user_sessions (user_id, id);
CREATE UNIQUE INDEX user_sessions_by_digest ON user_sessions (digest);

-- Where users have signed in from lately: there they are not put off by failures that others make elsewhere.
CREATE TABLE user_networks (
    user_id TEXT COLLATE "C" NOT NULL,
    network TEXT COLLATE "C" NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, network)
);

CREATE TABLE invitations (
    account_id  TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    email       TEXT NOT NULL,
    role        TEXT NOT NULL,
    digest      TEXT COLLATE "C" NOT NULL,
    invited_by  TEXT,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    accepted_at BIGINT,
    revoked_at  BIGINT,
    PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX invitations_by_digest ON invitations (digest);

-- Links that work once: to set up, to set a password anew, to sign in.
CREATE TABLE user_links (
    id         TEXT COLLATE "C" NOT NULL,
    purpose    TEXT NOT NULL,
    account_id TEXT,
    user_id    TEXT,
    digest     TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT,
    PRIMARY KEY (id)
);
CREATE UNIQUE INDEX user_links_by_digest ON user_links (digest);

-- How often somebody has failed to sign in lately, by what is counted.
CREATE TABLE sign_in_failures (
    name    TEXT COLLATE "C" NOT NULL,
    count   BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (name)
);

-- Mail to people. Its text sealed, until the mail server has taken it.
CREATE TABLE mails (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    recipient  TEXT NOT NULL,
    subject    TEXT NOT NULL,
    text       TEXT,
    created_at BIGINT NOT NULL,
    sent_at    BIGINT,
    failure    TEXT,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX mails_by_age ON mails (account_id, created_at);
