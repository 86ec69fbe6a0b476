-- A text sealed with the master key of the first process that opened the database: whoever has another key is refused
-- before it seals anything.
CREATE TABLE master_key_canary (
    id     TEXT NOT NULL CHECK (id = 'canary'),
    secret TEXT NOT NULL,
    PRIMARY KEY (id)
);
