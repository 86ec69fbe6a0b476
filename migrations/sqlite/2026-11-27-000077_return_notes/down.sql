ALTER TABLE order_returns DROP COLUMN credit_note_problem;
ALTER TABLE order_returns DROP COLUMN credit_note_id;
