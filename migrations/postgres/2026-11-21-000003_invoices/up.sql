-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Times are microseconds since 1970 UTC, amounts are millionths, documents are JSON.

CREATE TABLE issuers (
    account_id    TEXT COLLATE "C" NOT NULL,
    rfc           TEXT NOT NULL,
    legal_name    TEXT NOT NULL,
    tax_regime    TEXT NOT NULL,
    tax_zip       TEXT NOT NULL,
    series        TEXT NOT NULL,
    default_taxes TEXT NOT NULL,
    logo          TEXT,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    version       BIGINT NOT NULL,
    PRIMARY KEY (account_id)
);

-- private_key is sealed with the master key.
CREATE TABLE issuer_certificates (
    account_id  TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    number      TEXT COLLATE "C" NOT NULL,
    rfc         TEXT NOT NULL,
    legal_name  TEXT NOT NULL,
    valid_from  BIGINT NOT NULL,
    valid_until BIGINT NOT NULL,
    is_active   BIGINT NOT NULL CHECK (is_active IN (0, 1)),
    certificate TEXT NOT NULL,
    private_key TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE UNIQUE INDEX issuer_certificates_by_number ON issuer_certificates (account_id, number);
CREATE UNIQUE INDEX issuer_certificates_active ON issuer_certificates (account_id) WHERE is_active = 1;

-- credentials are sealed with the master key.
CREATE TABLE certification_providers (
    account_id  TEXT COLLATE "C" NOT NULL,
    kind        TEXT COLLATE "C" NOT NULL CHECK (kind IN ('sandbox', 'sw', 'finkok')),
    user_name   TEXT,
    credentials TEXT,
    simulate    TEXT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id)
);

CREATE TABLE invoices (
    account_id          TEXT COLLATE "C" NOT NULL,
    id                  TEXT COLLATE "C" NOT NULL,
    status              TEXT COLLATE "C" NOT NULL CHECK (status IN ('draft', 'stamping', 'stamped', 'cancelled')),
    kind                TEXT COLLATE "C" NOT NULL CHECK (kind IN ('I', 'E', 'P', 'T')),
    series              TEXT COLLATE "C" NOT NULL,
    folio               BIGINT,
    customer_id         TEXT COLLATE "C",
    receiver_rfc        TEXT NOT NULL,
    uuid                TEXT COLLATE "C",
    total               BIGINT NOT NULL,
    currency            TEXT NOT NULL,
    balance             BIGINT CHECK (balance >= 0),
    installments        BIGINT NOT NULL CHECK (installments >= 0),
    cancellation_status TEXT CHECK (cancellation_status IN ('requested', 'accepted', 'rejected', 'expired')),
    draft               TEXT NOT NULL,
    document            TEXT NOT NULL,
    stamp               TEXT,
    cancellation        TEXT,
    last_error          TEXT,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    version             BIGINT NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK ((status IN ('stamped', 'cancelled')) = (uuid IS NOT NULL))
);

CREATE UNIQUE INDEX invoices_by_folio ON invoices (account_id, series, folio) WHERE folio IS NOT NULL;
CREATE UNIQUE INDEX invoices_by_uuid ON invoices (account_id, uuid) WHERE uuid IS NOT NULL;
CREATE INDEX invoices_by_status ON invoices (account_id, status, id);
CREATE INDEX invoices_by_customer ON invoices (account_id, customer_id, id) WHERE customer_id IS NOT NULL;

-- What an invoice was sealed, stamped and cancelled as. There from the first attempt to stamp it.
CREATE TABLE invoice_papers (
    account_id         TEXT COLLATE "C" NOT NULL,
    invoice_id         TEXT COLLATE "C" NOT NULL,
    certificate_number TEXT NOT NULL,
    seal               TEXT NOT NULL,
    sealed_xml         TEXT NOT NULL,
    stamped_xml        TEXT,
    cancel_request     TEXT,
    receipt            TEXT,
    PRIMARY KEY (account_id, invoice_id)
);

-- The last folio of each series.
CREATE TABLE invoice_folios (
    account_id TEXT COLLATE "C" NOT NULL,
    series     TEXT COLLATE "C" NOT NULL,
    last       BIGINT NOT NULL CHECK (last > 0),
    PRIMARY KEY (account_id, series)
);

-- Which invoice is made of an order: at most one that lives.
CREATE TABLE invoice_orders (
    account_id TEXT COLLATE "C" NOT NULL,
    order_id   TEXT COLLATE "C" NOT NULL,
    invoice_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, order_id)
);

CREATE INDEX invoice_orders_by_invoice ON invoice_orders (account_id, invoice_id);

-- The fiscal folios that sealed invoices refer to, with why: a code of c_TipoRelacion, or 'paid'.
CREATE TABLE invoice_relations (
    account_id TEXT COLLATE "C" NOT NULL,
    uuid       TEXT COLLATE "C" NOT NULL,
    invoice_id TEXT COLLATE "C" NOT NULL,
    relation   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, uuid, invoice_id, relation)
);

CREATE INDEX invoice_relations_by_invoice ON invoice_relations (account_id, invoice_id);

-- What is under way with a provider. A row lives as long as its saga.
CREATE TABLE invoice_tasks (
    account_id    TEXT COLLATE "C" NOT NULL,
    invoice_id    TEXT COLLATE "C" NOT NULL,
    step          TEXT COLLATE "C" NOT NULL CHECK (step IN ('stamp', 'cancel', 'follow')),
    due_at        BIGINT NOT NULL,
    attempts      BIGINT NOT NULL CHECK (attempts >= 0),
    is_doubtful   BIGINT NOT NULL CHECK (is_doubtful IN (0, 1)),
    claim_id      TEXT COLLATE "C",
    claimed_until BIGINT,
    created_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, invoice_id),
    CHECK ((claim_id IS NULL) = (claimed_until IS NULL))
);

CREATE TABLE credit_balances (
    account_id TEXT COLLATE "C" NOT NULL,
    available  BIGINT NOT NULL CHECK (available >= 0),
    reserved   BIGINT NOT NULL CHECK (reserved >= 0),
    PRIMARY KEY (account_id)
);

-- Only ever added to; the sum of the amounts is what is available.
CREATE TABLE credit_entries (
    account_id TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    kind       TEXT COLLATE "C" NOT NULL CHECK (kind IN ('grant', 'reserve', 'commit', 'release')),
    amount     BIGINT NOT NULL,
    invoice_id TEXT COLLATE "C",
    note       TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)
);

CREATE INDEX credit_entries_by_invoice ON credit_entries (account_id, invoice_id, id) WHERE invoice_id IS NOT NULL;

-- What the embedded provider has stamped.
CREATE TABLE sandbox_stamps (
    account_id          TEXT COLLATE "C" NOT NULL,
    seal_digest         TEXT COLLATE "C" NOT NULL,
    uuid                TEXT COLLATE "C" NOT NULL,
    record              TEXT NOT NULL,
    cancel_requested_at BIGINT,
    created_at          BIGINT NOT NULL,
    PRIMARY KEY (account_id, seal_digest)
);

CREATE UNIQUE INDEX sandbox_stamps_by_uuid ON sandbox_stamps (account_id, uuid);

-- The certificate of the embedded provider, one row for all accounts; private_key is sealed with the master
-- key.
CREATE TABLE sandbox_identity (
    id          TEXT COLLATE "C" NOT NULL CHECK (id = 'sandbox'),
    certificate TEXT NOT NULL,
    private_key TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (id)
);
