DROP TABLE import_errors;
DROP TABLE imports;
