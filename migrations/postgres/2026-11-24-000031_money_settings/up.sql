-- How the payments of an account are dealt with; settings is JSON.
CREATE TABLE payment_settings (
    account_id TEXT COLLATE "C" NOT NULL,
    settings   TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    PRIMARY KEY (account_id)
);

-- The taxes of shipping, JSON; those of everything else where there are none.
ALTER TABLE issuers ADD COLUMN shipping_taxes TEXT;
