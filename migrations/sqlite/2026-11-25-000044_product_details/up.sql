-- Keep in step with the PostgreSQL migration of the same name; a test compares the two.
-- What else describes a product. Prices are millionths of its currency; the weight is millionths of a kilogram. images is a
-- JSON list of URLs, dimensions a JSON object of centimetres; no row of before has either.
ALTER TABLE products ADD COLUMN brand TEXT;
ALTER TABLE products ADD COLUMN compare_at_price INTEGER;
ALTER TABLE products ADD COLUMN cost INTEGER;
ALTER TABLE products ADD COLUMN weight INTEGER;
ALTER TABLE products ADD COLUMN images TEXT;
ALTER TABLE products ADD COLUMN dimensions TEXT;
