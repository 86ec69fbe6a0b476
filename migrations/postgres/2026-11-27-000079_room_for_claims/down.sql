ALTER TABLE deliveries SET (fillfactor = 70);
