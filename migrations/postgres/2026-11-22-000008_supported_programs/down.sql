DROP TABLE supported_programs;
