-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- Price lists that were deleted, until housekeeping has removed their prices.
ALTER TABLE price_lists ADD COLUMN deleted_at BIGINT;

-- Whether what a return is of had not been shipped, and was taken off its order.
ALTER TABLE order_returns ADD COLUMN unshipped BOOLEAN NOT NULL DEFAULT FALSE;
