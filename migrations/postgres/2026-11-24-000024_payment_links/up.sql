-- Links that somebody pays by. taken and paid_count change with each payment of the link; details is JSON.
CREATE TABLE payment_links (
    account_id   TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    order_id     TEXT COLLATE "C",
    stage        TEXT COLLATE "C" NOT NULL CHECK (stage IN ('active', 'inactive', 'completed')),
    currency     TEXT COLLATE "C" NOT NULL,
    payments_max BIGINT CHECK (payments_max > 0),
    taken        BIGINT NOT NULL CHECK (taken >= 0),
    paid_count   BIGINT NOT NULL CHECK (paid_count >= 0),
    details      TEXT NOT NULL,
    expires_at   BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    version      BIGINT NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK (taken <= payments_max)
);

CREATE INDEX payment_links_by_stage ON payment_links (account_id, stage, id);
CREATE INDEX payment_links_by_order ON payment_links (account_id, order_id, id) WHERE order_id IS NOT NULL;

-- The link that a payment was begun by.
ALTER TABLE payments ADD COLUMN link_id TEXT COLLATE "C";
CREATE INDEX payments_by_link ON payments (account_id, link_id, id) WHERE link_id IS NOT NULL;
