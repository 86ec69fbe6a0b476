-- How the payments of an account are dealt with; settings is JSON.
CREATE TABLE payment_settings (
    account_id TEXT NOT NULL,
    settings   TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    PRIMARY KEY (account_id)
) STRICT;

-- The taxes of shipping, JSON; those of everything else where there are none.
ALTER TABLE issuers ADD COLUMN shipping_taxes TEXT;
