DROP TABLE import_uploads;
