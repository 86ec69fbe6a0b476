ALTER TABLE products DROP COLUMN dimensions;
ALTER TABLE products DROP COLUMN images;
ALTER TABLE products DROP COLUMN weight;
ALTER TABLE products DROP COLUMN cost;
ALTER TABLE products DROP COLUMN compare_at_price;
ALTER TABLE products DROP COLUMN brand;
