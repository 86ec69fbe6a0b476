ALTER TABLE imports DROP COLUMN file_misses;
