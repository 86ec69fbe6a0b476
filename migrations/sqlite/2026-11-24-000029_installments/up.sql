-- The monthly installments that an account offers through a provider, JSON; NULL for those that the provider documents.
ALTER TABLE payment_providers ADD COLUMN installments TEXT;
