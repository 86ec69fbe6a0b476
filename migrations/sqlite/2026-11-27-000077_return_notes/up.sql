-- The credit note of goods that came back before they were paid, or why there is none.
ALTER TABLE order_returns ADD COLUMN credit_note_id TEXT;
ALTER TABLE order_returns ADD COLUMN credit_note_problem TEXT;
