-- Filters of lists of the panel that users keep under names, each in one account.
CREATE TABLE saved_views (
    account_id TEXT COLLATE "C" NOT NULL,
    user_id    TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    list       TEXT COLLATE "C" NOT NULL,
    name       TEXT COLLATE "C" NOT NULL,
    query      TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, user_id, id)
);
CREATE UNIQUE INDEX saved_views_by_name ON saved_views (account_id, user_id, list, name);
