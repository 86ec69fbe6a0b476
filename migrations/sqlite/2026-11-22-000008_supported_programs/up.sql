-- The newest migration that a program must know to work on this schema. Raised by a migration that takes away what older
-- programs use; whoever knows less is refused.
CREATE TABLE supported_programs (
    id        TEXT NOT NULL CHECK (id = 'oldest'),
    migration TEXT NOT NULL,
    PRIMARY KEY (id)
);
INSERT INTO supported_programs (id, migration) VALUES ('oldest', '20261121000003');
