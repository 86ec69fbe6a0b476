-- What was paid for an order; NULL of those without a payment, which are paid in full if they have a moment of payment.
ALTER TABLE orders ADD COLUMN amount_paid INTEGER CHECK (amount_paid >= 0);
-- What of it was given back.
ALTER TABLE orders ADD COLUMN amount_refunded INTEGER NOT NULL DEFAULT 0
    CHECK (amount_refunded >= 0 AND (amount_refunded = 0 OR amount_refunded <= amount_paid));

-- Payments. flags are names between spaces; details is JSON.
CREATE TABLE payments (
    account_id     TEXT NOT NULL,
    id             TEXT NOT NULL,
    order_id       TEXT,
    customer_id    TEXT,
    provider       TEXT NOT NULL,
    method         TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('pending', 'requires_action', 'processing', 'authorized', 'paid',
                                                   'failed', 'canceled', 'expired')),
    amount         INTEGER NOT NULL CHECK (amount > 0),
    currency       TEXT NOT NULL,
    received       INTEGER NOT NULL CHECK (received >= 0),
    authorized     INTEGER NOT NULL,
    captured       INTEGER NOT NULL CHECK (captured >= 0 AND captured <= authorized),
    refunded       INTEGER NOT NULL CHECK (refunded >= 0),
    refund_pending INTEGER NOT NULL CHECK (refund_pending >= 0),
    provider_ref   TEXT,
    flags          TEXT NOT NULL,
    details        TEXT NOT NULL,
    paid_at        INTEGER,
    expires_at     INTEGER,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    version        INTEGER NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK (refunded + refund_pending <= captured),
    CHECK ((status = 'paid') = (captured > 0))
) STRICT;

CREATE UNIQUE INDEX payments_by_ref ON payments (account_id, provider, provider_ref) WHERE provider_ref IS NOT NULL;
CREATE INDEX payments_by_order ON payments (account_id, order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX payments_by_customer ON payments (account_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX payments_by_status ON payments (account_id, status, id);
CREATE INDEX payments_flagged ON payments (account_id, id) WHERE flags <> '';

-- Calls to providers about payments. The identifier is the key under which a call is repeated; failure is JSON.
CREATE TABLE payment_calls (
    account_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('create', 'capture', 'cancel')),
    amount     INTEGER,
    outcome    TEXT NOT NULL CHECK (outcome IN ('open', 'done', 'rejected')),
    is_unknown INTEGER NOT NULL,
    tries      INTEGER NOT NULL,
    absences   INTEGER NOT NULL,
    failure    TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT;

-- One call of a payment at a time.
CREATE UNIQUE INDEX payment_calls_open ON payment_calls (account_id, payment_id) WHERE outcome = 'open';
CREATE INDEX payment_calls_by_payment ON payment_calls (account_id, payment_id, id);

-- Refunds. details is JSON.
CREATE TABLE refunds (
    account_id   TEXT NOT NULL,
    id           TEXT NOT NULL,
    payment_id   TEXT NOT NULL,
    order_id     TEXT,
    amount       INTEGER NOT NULL CHECK (amount > 0),
    currency     TEXT NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'requires_action', 'succeeded', 'failed', 'canceled')),
    origin       TEXT NOT NULL,
    provider_ref TEXT,
    details      TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    succeeded_at INTEGER,
    version      INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT;

CREATE UNIQUE INDEX refunds_by_ref ON refunds (account_id, payment_id, provider_ref) WHERE provider_ref IS NOT NULL;
CREATE INDEX refunds_by_payment ON refunds (account_id, payment_id, id);
CREATE INDEX refunds_by_order ON refunds (account_id, order_id, id) WHERE order_id IS NOT NULL;
CREATE INDEX refunds_by_status ON refunds (account_id, status, id);

-- The providers that an account has set up. credentials are sealed.
CREATE TABLE payment_providers (
    account_id  TEXT NOT NULL,
    provider    TEXT NOT NULL,
    credentials TEXT,
    key_end     TEXT,
    is_default  INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (account_id, provider)
) STRICT;

CREATE UNIQUE INDEX payment_providers_default ON payment_providers (account_id) WHERE is_default = 1;

-- Notifications of providers as they came. headers is JSON.
CREATE TABLE payment_notices (
    account_id   TEXT NOT NULL,
    id           TEXT NOT NULL,
    provider     TEXT NOT NULL,
    event_key    TEXT NOT NULL,
    is_signed    INTEGER NOT NULL,
    provider_ref TEXT,
    payment_id   TEXT,
    status       TEXT NOT NULL CHECK (status IN ('received', 'processed', 'ignored', 'dead')),
    tries        INTEGER NOT NULL,
    problem      TEXT,
    query        TEXT NOT NULL,
    headers      TEXT NOT NULL,
    body         TEXT NOT NULL,
    received_at  INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT;

CREATE UNIQUE INDEX payment_notices_by_event ON payment_notices (account_id, provider, event_key);
CREATE INDEX payment_notices_by_age ON payment_notices (account_id, received_at);

-- The books of the embedded provider. charge is JSON.
CREATE TABLE sandbox_charges (
    account_id TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    charge     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, payment_id)
) STRICT;
