DELETE FROM sqlite_stat1 WHERE idx = 'orders_left';
DROP INDEX orders_left;
ANALYZE sqlite_schema;
