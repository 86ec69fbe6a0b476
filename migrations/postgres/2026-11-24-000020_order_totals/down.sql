ALTER TABLE order_items DROP COLUMN terms;
ALTER TABLE orders DROP COLUMN terms;
ALTER TABLE orders DROP COLUMN tax_total;
