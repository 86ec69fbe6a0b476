-- Stamps that nodes of 0.1.0 record do not say when: found here, and filled in.
CREATE INDEX invoices_without_moment ON invoices (account_id, id) WHERE uuid IS NOT NULL AND stamped_at IS NULL;
