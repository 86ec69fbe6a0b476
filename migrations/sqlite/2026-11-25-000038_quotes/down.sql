DROP TABLE quote_questions;
DROP TABLE quotes;
