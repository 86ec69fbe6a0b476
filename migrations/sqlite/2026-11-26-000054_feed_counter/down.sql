UPDATE supported_programs SET migration = '20261121000003';
