-- What of an order's total is tax; NULL of orders that were placed before orders kept it. terms is JSON: discount, shipping, where
-- it goes and where it was sold; NULL where nothing of them was agreed on.
ALTER TABLE orders ADD COLUMN tax_total INTEGER;
ALTER TABLE orders ADD COLUMN terms TEXT;
-- terms is JSON: discounts, note, and taxes that are not IVA of 16 % inside the unit price; NULL where that is all.
ALTER TABLE order_items ADD COLUMN terms TEXT;
