ALTER TABLE payment_providers DROP COLUMN installments;
