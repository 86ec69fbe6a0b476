-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- What the customer of an order had withheld as taxes when it was paid in full. NULL until then, and of orders paid before.
ALTER TABLE orders ADD COLUMN amount_withheld INTEGER;
