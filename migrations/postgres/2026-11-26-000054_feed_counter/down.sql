UPDATE supported_programs SET migration = '20261121000003';
DELETE FROM counters WHERE name = 'events';
