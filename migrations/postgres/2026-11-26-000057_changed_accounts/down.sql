DROP FUNCTION premises_changed(TEXT);
