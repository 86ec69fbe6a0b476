DROP TABLE branches;
DROP INDEX invoices_by_branch;
DROP INDEX invoices_by_issuer;
DROP INDEX invoices_by_folio;
-- Fails where issuers have the same series: their folios cannot be told apart any more.
CREATE UNIQUE INDEX invoices_by_folio ON invoices (account_id, series, folio) WHERE folio IS NOT NULL;
ALTER TABLE invoices DROP COLUMN branch_id;
ALTER TABLE invoices DROP COLUMN issuer_id;
DELETE FROM invoice_folios WHERE series LIKE 'iss_%/%';
UPDATE issuer_certificates SET is_active = 0 WHERE rfc NOT IN
    (SELECT rfc FROM issuers WHERE issuers.account_id = issuer_certificates.account_id AND is_default = 1);
DROP INDEX issuer_certificates_active;
CREATE UNIQUE INDEX issuer_certificates_active ON issuer_certificates (account_id) WHERE is_active = 1;
DELETE FROM issuers WHERE is_default = 0;
DROP INDEX issuers_default;
ALTER TABLE issuers DROP CONSTRAINT issuers_pkey;
ALTER TABLE issuers DROP COLUMN id;
ALTER TABLE issuers DROP COLUMN is_default;
ALTER TABLE issuers ADD PRIMARY KEY (account_id);
