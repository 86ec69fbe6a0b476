DROP INDEX orders_left;
