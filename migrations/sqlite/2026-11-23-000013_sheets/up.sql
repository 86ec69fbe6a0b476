-- How invoices are printed, as JSON.
ALTER TABLE issuers ADD COLUMN sheet TEXT;
