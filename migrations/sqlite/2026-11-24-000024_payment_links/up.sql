-- Links that somebody pays by. taken and paid_count change with each payment of the link; details is JSON.
CREATE TABLE payment_links (
    account_id   TEXT NOT NULL,
    id           TEXT NOT NULL,
    order_id     TEXT,
    stage        TEXT NOT NULL CHECK (stage IN ('active', 'inactive', 'completed')),
    currency     TEXT NOT NULL,
    payments_max INTEGER CHECK (payments_max > 0),
    taken        INTEGER NOT NULL CHECK (taken >= 0),
    paid_count   INTEGER NOT NULL CHECK (paid_count >= 0),
    details      TEXT NOT NULL,
    expires_at   INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK (taken <= payments_max)
) STRICT;

CREATE INDEX payment_links_by_stage ON payment_links (account_id, stage, id);
CREATE INDEX payment_links_by_order ON payment_links (account_id, order_id, id) WHERE order_id IS NOT NULL;

-- The link that a payment was begun by.
ALTER TABLE payments ADD COLUMN link_id TEXT;
CREATE INDEX payments_by_link ON payments (account_id, link_id, id) WHERE link_id IS NOT NULL;
