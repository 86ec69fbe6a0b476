ALTER TABLE products DROP COLUMN category_ids;
DROP TABLE product_categories;
DROP TABLE categories;
