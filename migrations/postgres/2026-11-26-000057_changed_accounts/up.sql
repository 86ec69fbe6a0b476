-- As premises_changed(), where a statement can tell of which accounts something has changed: the driver hands on the detail.
CREATE FUNCTION premises_changed(changed TEXT) RETURNS INTEGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what was loaded has changed meanwhile'
        USING ERRCODE = 'serialization_failure', DETAIL = COALESCE(changed, '');
END
$$;
