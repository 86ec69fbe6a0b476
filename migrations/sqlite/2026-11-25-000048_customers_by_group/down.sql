DROP INDEX customers_by_group;
