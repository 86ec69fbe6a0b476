-- Filters of lists of the panel that users keep under names, each in one account.
CREATE TABLE saved_views (
    account_id TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    id         TEXT NOT NULL,
    list       TEXT NOT NULL,
    name       TEXT NOT NULL,
    query      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, user_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX saved_views_by_name ON saved_views (account_id, user_id, list, name);
