-- What was paid for an order; NULL of those without a payment, which are paid in full if they have a moment of payment.
ALTER TABLE orders ADD COLUMN amount_paid BIGINT CHECK (amount_paid >= 0);
-- What of it was given back.
ALTER TABLE orders ADD COLUMN amount_refunded BIGINT NOT NULL DEFAULT 0
    CHECK (amount_refunded >= 0 AND (amount_refunded = 0 OR amount_refunded <= amount_paid));

-- Payments. flags are names between spaces; details is JSON.
CREATE TABLE payments (
    account_id     TEXT COLLATE "C" NOT NULL,
    id             TEXT COLLATE "C" NOT NULL,
    order_id       TEXT COLLATE "C",
    customer_id    TEXT COLLATE "C",
    provider       TEXT COLLATE "C" NOT NULL,
    method         TEXT COLLATE "C" NOT NULL,
    status         TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'requires_action', 'processing', 'authorized', 'paid',
                                                   'failed', 'canceled', 'expired')),
    amount         BIGINT NOT NULL CHECK (amount > 0),
    currency       TEXT COLLATE "C" NOT NULL,
    received       BIGINT NOT NULL CHECK (received >= 0),
    authorized     BIGINT NOT NULL,
    captured       BIGINT NOT NULL CHECK (captured >= 0 AND captured <= authorized),
    refunded       BIGINT NOT NULL CHECK (refunded >= 0),
    refund_pending BIGINT NOT NULL CHECK (refund_pending >= 0),
    provider_ref   TEXT COLLATE "C",
    flags          TEXT NOT NULL,
    details        TEXT NOT NULL,
    paid_at        BIGINT,
    expires_at     BIGINT,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    version        BIGINT NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK (refunded + refund_pending <= captured),
    CHECK ((status = 'paid') = (captured > 0))
);

CREATE UNIQUE INDEX payments_by_ref ON payments (account_id, provider, provider_ref) WHERE provider_ref IS NOT NULL;
CREATE INDEX payments_by_order ON payments (account_id, order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX payments_by_customer ON payments (account_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX payments_by_status ON payments (account_id, status, id);
CREATE INDEX payments_flagged ON payments (account_id, id) WHERE flags <> '';

-- Calls to providers about payments. The identifier is the key under which a call is repeated; failure is JSON.
CREATE TABLE payment_calls (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    payment_id TEXT COLLATE "C" NOT NULL,
    kind       TEXT COLLATE "C" NOT NULL CHECK (kind IN ('create', 'capture', 'cancel')),
    amount     BIGINT,
    outcome    TEXT COLLATE "C" NOT NULL CHECK (outcome IN ('open', 'done', 'rejected')),
    is_unknown BIGINT NOT NULL,
    tries      BIGINT NOT NULL,
    absences   BIGINT NOT NULL,
    failure    TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

-- One call of a payment at a time.
CREATE UNIQUE INDEX payment_calls_open ON payment_calls (account_id, payment_id) WHERE outcome = 'open';
CREATE INDEX payment_calls_by_payment ON payment_calls (account_id, payment_id, id);

-- Refunds. details is JSON.
CREATE TABLE refunds (
    account_id   TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    payment_id   TEXT COLLATE "C" NOT NULL,
    order_id     TEXT COLLATE "C",
    amount       BIGINT NOT NULL CHECK (amount > 0),
    currency     TEXT COLLATE "C" NOT NULL,
    status       TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'processing', 'requires_action', 'succeeded', 'failed', 'canceled')),
    origin       TEXT COLLATE "C" NOT NULL,
    provider_ref TEXT COLLATE "C",
    details      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    succeeded_at BIGINT,
    version      BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE UNIQUE INDEX refunds_by_ref ON refunds (account_id, payment_id, provider_ref) WHERE provider_ref IS NOT NULL;
CREATE INDEX refunds_by_payment ON refunds (account_id, payment_id, id);
CREATE INDEX refunds_by_order ON refunds (account_id, order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX refunds_by_status ON refunds (account_id, status, id);

-- The providers that an account has set up. credentials are sealed.
CREATE TABLE payment_providers (
    account_id  TEXT COLLATE "C" NOT NULL,
    provider    TEXT COLLATE "C" NOT NULL,
    credentials TEXT,
    key_end     TEXT COLLATE "C",
    is_default  BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    version     BIGINT NOT NULL,
    PRIMARY KEY (account_id, provider)
);

CREATE UNIQUE INDEX payment_providers_default ON payment_providers (account_id) WHERE is_default = 1;

-- Notifications of providers as they came. headers is JSON.
CREATE TABLE payment_notices (
    account_id   TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    provider     TEXT COLLATE "C" NOT NULL,
    event_key    TEXT COLLATE "C" NOT NULL,
    is_signed    BIGINT NOT NULL,
    provider_ref TEXT COLLATE "C",
    payment_id   TEXT COLLATE "C",
    status       TEXT COLLATE "C" NOT NULL CHECK (status IN ('received', 'processed', 'ignored', 'dead')),
    tries        BIGINT NOT NULL,
    problem      TEXT,
    query        TEXT NOT NULL,
    headers      TEXT NOT NULL,
    body         TEXT NOT NULL,
    received_at  BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE UNIQUE INDEX payment_notices_by_event ON payment_notices (account_id, provider, event_key);
CREATE INDEX payment_notices_by_age ON payment_notices (account_id, received_at);

-- The books of the embedded provider. charge is JSON.
CREATE TABLE sandbox_charges (
    account_id TEXT COLLATE "C" NOT NULL,
    payment_id TEXT COLLATE "C" NOT NULL,
    charge     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, payment_id)
);
