ALTER TABLE customers DROP COLUMN group_id;
DROP TABLE customer_groups;
