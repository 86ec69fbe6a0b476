ALTER TABLE issuers DROP COLUMN shipping_taxes;
DROP TABLE payment_settings;
