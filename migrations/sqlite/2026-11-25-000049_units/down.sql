ALTER TABLE accounts DROP COLUMN scale_codes;
ALTER TABLE shipment_items DROP COLUMN quantity_decimals;
ALTER TABLE products DROP COLUMN quantity_decimals;
ALTER TABLE products DROP COLUMN unit;
