DROP TABLE count_lines;
DROP TABLE stock_counts;
