DROP TABLE sandbox_charges;
DROP TABLE payment_notices;
DROP TABLE payment_providers;
DROP TABLE refunds;
DROP TABLE payment_calls;
DROP TABLE payments;
ALTER TABLE orders DROP COLUMN amount_refunded;
ALTER TABLE orders DROP COLUMN amount_paid;
