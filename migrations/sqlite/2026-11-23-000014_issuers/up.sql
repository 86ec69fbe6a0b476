-- Several issuers of an account. Its first one has no identifier of its own, as when there was only one.
CREATE TABLE issuers_anew (
    account_id    TEXT NOT NULL,
    rfc           TEXT NOT NULL,
    legal_name    TEXT NOT NULL,
    tax_regime    TEXT NOT NULL,
    tax_zip       TEXT NOT NULL,
    series        TEXT NOT NULL,
    default_taxes TEXT NOT NULL,
    logo          TEXT,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    sheet         TEXT,
    id            TEXT NOT NULL DEFAULT '',
    is_default    INTEGER NOT NULL DEFAULT 1 CHECK (is_default IN (0, 1)),
    PRIMARY KEY (account_id, id)
) STRICT;
INSERT INTO issuers_anew (account_id, rfc, legal_name, tax_regime, tax_zip, series, default_taxes, logo, created_at,
        updated_at, version, sheet)
    SELECT account_id, rfc, legal_name, tax_regime, tax_zip, series, default_taxes, logo, created_at, updated_at, version,
        sheet FROM issuers;
DROP TABLE issuers;
ALTER TABLE issuers_anew RENAME TO issuers;
CREATE UNIQUE INDEX issuers_default ON issuers (account_id) WHERE is_default = 1;

DROP INDEX issuer_certificates_active;
CREATE UNIQUE INDEX issuer_certificates_active ON issuer_certificates (account_id, rfc) WHERE is_active = 1;

-- Who issues an invoice, the first issuer where it is empty, and the branch that it is issued at. A folio belongs to its
-- issuer and series; in invoice_folios the series of issuers but the first has their identifier and a slash before it.
ALTER TABLE invoices ADD COLUMN issuer_id TEXT NOT NULL DEFAULT '';
ALTER TABLE invoices ADD COLUMN branch_id TEXT;
DROP INDEX invoices_by_folio;
CREATE UNIQUE INDEX invoices_by_folio ON invoices (account_id, issuer_id, series, folio) WHERE folio IS NOT NULL;
CREATE INDEX invoices_by_issuer ON invoices (account_id, issuer_id, id) WHERE issuer_id <> '';
CREATE INDEX invoices_by_branch ON invoices (account_id, branch_id, id) WHERE branch_id IS NOT NULL;

-- The places that an account sells at. series and address are JSON.
CREATE TABLE branches (
    account_id     TEXT NOT NULL,
    id             TEXT NOT NULL,
    name           TEXT NOT NULL,
    issuer_id      TEXT,
    place_of_issue TEXT NOT NULL,
    series         TEXT NOT NULL,
    address        TEXT NOT NULL,
    phone          TEXT,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    version        INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
) STRICT;
