-- The version in which a draft was made, which is the first, or last changed: what it says is the same in all that follow, such
-- as those of attempts to stamp it. Of an invoice it counts while facts_version is its version: a release that knows neither
-- column may have changed the draft.
ALTER TABLE invoices ADD COLUMN draft_version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE withholdings ADD COLUMN draft_version INTEGER NOT NULL DEFAULT 1;

-- The version in which a row was taken down, where it is acted on in no other.
ALTER TABLE bulk_action_rows ADD COLUMN version INTEGER;
