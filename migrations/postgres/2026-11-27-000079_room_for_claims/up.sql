-- Keep in step with the SQLite migration of the same name; a test compares the two.
-- A claim writes a row anew, a little longer than before. Where all rows of a page are claimed at once, as of a backlog, each
-- finds room in its page, so that the claim writes no entry of an index. Holds for pages that are filled from now on.
ALTER TABLE deliveries SET (fillfactor = 45);
