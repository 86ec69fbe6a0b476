ALTER TABLE accounts DROP COLUMN price_lists;
DROP TABLE price_list_items;
DROP TABLE price_lists;
