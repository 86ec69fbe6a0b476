DROP TABLE transfer_arrivals;
DROP TABLE transfer_lines;
DROP TABLE transfers;
