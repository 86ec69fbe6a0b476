//! Full-text search on both databases: the condition that a row is found by some words.
//!
//! A row keeps its [terms](kernel::search::Terms) in `search_text`. They are looked for either in the rows themselves,
//! which is quick for a few thousand of them, or in the index over all of them, which is quick for words that few have:
//! a GIN index of `search_terms` on PostgreSQL, the FTS5 table `search_index` on SQLite.
//!
//! An index of a dozen terms costs as much as all else that writing an order does. Of an order, only its own terms are
//! in it; those of its customer and its products are there once, and lead [through](Through) other indexes to it.

use diesel::{
    Connection, QueryResult,
    expression::{Expression, ValidGrouping, is_aggregate},
    query_builder::{AstPass, QueryFragment, QueryId},
    query_source::QuerySource,
    sql_types::{BigInt, Bool, Text},
};
use kernel::{
    AccountId,
    search::{Wanted, Words},
};

use crate::db::Db;

type Backend = <Db as Connection>::Backend;

/// The version of the rules by which terms are made: rows of older ones are made anew.
pub const VERSION: i64 = 1;

/// The last characters of an account that stand before each of its terms in an index.
const ACCOUNT_CHARS: usize = 10;

/// A table with terms.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    /// Its name.
    pub table: &'static str,
    /// The column whose terms are in the index.
    pub indexed: &'static str,
    /// What stands before its terms in the index on SQLite, which all tables share.
    pub letter: char,
    /// Where else terms are that a row is found by.
    pub through: &'static [Through],
    /// The column of the number that a row is found by, if it has one.
    pub number: Option<&'static str>,
}

/// Rows of another table whose terms a row is found by too; its own `search_text` repeats them.
#[derive(Clone, Copy, Debug)]
pub struct Through {
    /// The table that says which row belongs to which of the other table.
    pub table: &'static str,
    /// Its column with the row's identifier.
    pub id: &'static str,
    /// Its column with the identifier of the other row.
    pub by: &'static str,
    /// The other table.
    pub other: &'static Searched,
}

impl Searched {
    /// A table all of whose terms are in the index.
    pub const fn whole(table: &'static str, letter: char) -> Self {
        Self { table, indexed: "search_text", letter, through: &[], number: None }
    }
}

/// How words are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// In the rows themselves.
    Rows,
    /// These in the index, the others in the rows that it gives.
    Index(WordSet),
}

/// Some words of a search, by their places in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordSet(u32);

impl WordSet {
    /// All words.
    pub const ALL: Self = Self(u32::MAX);

    /// Those for which `has` says so; all if there is none.
    pub fn of(words: usize, has: impl Fn(usize) -> bool) -> Self {
        match (0..words).filter(|place| has(*place)).map(|place| 1 << place).sum() {
            0 => Self::ALL,
            places => Self(places),
        }
    }

    const fn has(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }
}

/// A condition on the rows of a table, to filter with.
#[derive(Clone, Debug)]
pub struct Condition(Vec<Piece>);

#[derive(Clone, Debug)]
enum Piece {
    Sql(&'static str),
    Text(String),
    Number(i64),
}

impl Searched {
    /// The condition that a row of an account is found by all words.
    pub fn finds(self, db: &Db, look: Look, account: AccountId, words: &Words) -> Condition {
        let Look::Index(places) = look else { return self.in_rows(words) };
        let mut pieces = Vec::new();
        let indexed = words.some(|place| places.has(place));
        if self.has_all_indexed() {
            match db {
                Db::Postgres(_) => self.push_match(account, &indexed, &mut pieces),
                Db::Sqlite(_) => {
                    pieces.extend([self.table, ".id IN ("].map(Piece::Sql));
                    self.push_ids(db, account, &indexed, &mut pieces);
                    pieces.push(Piece::Sql(")"));
                }
            }
            pieces.push(Piece::Sql(" AND "));
            pieces.extend(self.in_rows(&words.some(|place| !places.has(place))).0);
            return Condition(pieces);
        }
        for place in 0..indexed.count() {
            let word = indexed.some(|it| it == place);
            pieces.extend([self.table, ".id IN ("].map(Piece::Sql));
            self.push_ids_by_word(db, account, &word, &mut pieces);
            pieces.push(Piece::Sql(") AND "));
        }
        // What belongs to other rows is found for them: the row itself tells what it has of it.
        pieces.extend(self.in_rows(words).0);
        Condition(pieces)
    }

    const fn has_all_indexed(self) -> bool {
        self.through.is_empty() && self.number.is_none()
    }

    /// The identifiers of rows that are found by a word through whatever leads to them.
    fn push_ids_by_word(self, db: &Db, account: AccountId, word: &Words, pieces: &mut Vec<Piece>) {
        let terms = word.filtered(|wanted| !matches!(wanted, Wanted::Number(_)));
        let starts = word.filtered(Wanted::is_prefix);
        let mut union = "";
        if !terms.is_empty() {
            self.push_ids(db, account, &terms, pieces);
            union = " UNION ";
        }
        for through in self.through.iter().filter(|_| !starts.is_empty()) {
            pieces.extend([union, "SELECT ", through.id, " FROM ", through.table].map(Piece::Sql));
            pieces.push(Piece::Sql(" WHERE account_id = "));
            pieces.push(Piece::Text(account.to_string()));
            pieces.extend([" AND ", through.by, " IN ("].map(Piece::Sql));
            through.other.push_ids(db, account, &starts, pieces);
            pieces.push(Piece::Sql(")"));
        }
        for wanted in word.each().flatten() {
            let (Wanted::Number(number), Some(column)) = (wanted, self.number) else { continue };
            pieces.extend([union, "SELECT id FROM ", self.table].map(Piece::Sql));
            pieces.push(Piece::Sql(" WHERE account_id = "));
            pieces.push(Piece::Text(account.to_string()));
            pieces.extend([" AND ", column, " = "].map(Piece::Sql));
            pieces.push(Piece::Number(*number));
        }
    }

    /// The identifiers of rows that have all words among their indexed terms; perhaps some of other accounts too.
    fn push_ids(self, db: &Db, account: AccountId, words: &Words, pieces: &mut Vec<Piece>) {
        match db {
            Db::Postgres(_) => {
                pieces.extend(["SELECT id FROM ", self.table, " WHERE "].map(Piece::Sql));
                if !self.has_all_indexed() {
                    // Its index is a partial one.
                    pieces.extend([self.table, ".", self.indexed, " <> '' AND "].map(Piece::Sql));
                }
                self.push_match(account, words, pieces);
            }
            Db::Sqlite(_) => self.push_ids_in_fts(account, words, pieces),
        }
    }

    fn in_rows(self, words: &Words) -> Condition {
        let mut pieces = Vec::new();
        for alternatives in words.each() {
            pieces.push(Piece::Sql(if pieces.is_empty() { "((" } else { " AND (" }));
            for (position, wanted) in alternatives.iter().enumerate() {
                pieces.push(Piece::Sql(if position == 0 { "(' ' || " } else { " OR (' ' || " }));
                pieces.push(Piece::Sql(self.table));
                pieces.push(Piece::Sql(".search_text || ' ') LIKE "));
                pieces.push(Piece::Text(pattern(wanted)));
                pieces.push(Piece::Sql(" ESCAPE '\\'"));
            }
            pieces.push(Piece::Sql(")"));
        }
        pieces.push(Piece::Sql(if pieces.is_empty() { "1 = 1" } else { ")" }));
        Condition(pieces)
    }

    /// The condition of PostgreSQL that a row has all words among its indexed terms.
    fn push_match(self, account: AccountId, words: &Words, pieces: &mut Vec<Piece>) {
        let scope = scope(account);
        let term = |wanted: &Wanted| {
            let star = if wanted.is_prefix() { ":*" } else { "" };
            format!("{}{star}", lexeme(&scope, &wanted.term()))
        };
        let columns = ["search_terms(", self.table, ".account_id, ", self.table, ".", self.indexed];
        pieces.extend(columns.map(Piece::Sql));
        pieces.push(Piece::Sql(") @@ "));
        pieces.push(Piece::Text(all_of(words, " & ", " | ", term)));
        pieces.push(Piece::Sql("::tsquery"));
    }

    fn push_ids_in_fts(self, account: AccountId, words: &Words, pieces: &mut Vec<Piece>) {
        let scope = format!("{}{}", self.letter, scope(account));
        let term = |wanted: &Wanted| {
            let star = if wanted.is_prefix() { "*" } else { "" };
            format!("\"{scope}{}\"{star}", wanted.term().replace('"', "\"\""))
        };
        pieces.push(Piece::Sql(
            "SELECT r.id FROM search_index i JOIN search_rows r ON r.number = i.rowid \
             WHERE i.search_index MATCH ",
        ));
        pieces.push(Piece::Text(all_of(words, " AND ", " OR ", term)));
    }
}

fn scope(account: AccountId) -> String {
    let account = account.to_string();
    let start = account.len().saturating_sub(ACCOUNT_CHARS);
    account.get(start..).unwrap_or_default().to_owned()
}

fn all_of(words: &Words, and: &str, or: &str, term: impl Fn(&Wanted) -> String) -> String {
    let each = words.each().map(|alternatives| {
        format!("({})", alternatives.iter().map(&term).collect::<Vec<_>>().join(or))
    });
    each.collect::<Vec<_>>().join(and)
}

/// A word as PostgreSQL reads it in a `tsquery`.
fn lexeme(scope: &str, word: &str) -> String {
    format!("'{scope}{}'", word.replace('\\', "\\\\").replace('\'', "''"))
}

/// The pattern of `LIKE` that finds a term among others; `\` escapes.
fn pattern(wanted: &Wanted) -> String {
    let end = if wanted.is_prefix() { "%" } else { " %" };
    let mut pattern = String::from("% ");
    for c in wanted.term().chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern + end
}

impl Expression for Condition {
    type SqlType = Bool;
}

impl ValidGrouping<()> for Condition {
    type IsAggregate = is_aggregate::No;
}

impl QueryId for Condition {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<S: QuerySource> diesel::AppearsOnTable<S> for Condition {}

impl QueryFragment<Backend> for Condition {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        // What is found depends on the words: a plan that fits some of them is slow for others.
        out.unsafe_to_cache_prepared();
        for piece in &self.0 {
            match piece {
                Piece::Sql(sql) => out.push_sql(sql),
                Piece::Text(text) => out.push_bind_param::<Text, _>(text)?,
                Piece::Number(number) => out.push_bind_param::<BigInt, _>(number)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_not_looked_up_in_the_index_are_asked_of_its_rows() {
        let set = WordSet::of(3, |place| place != 1);
        assert_eq!([0, 1, 2].map(|place| set.has(place)), [true, false, true]);
        let all = WordSet::of(3, |_| false);
        assert_eq!(all, WordSet::ALL, "an index needs one word at least");
    }

    #[test]
    fn what_users_type_is_quoted() {
        let words = Words::parse(r#"o'neill "a\b" 100%_x"#).unwrap();
        let each: Vec<_> = words.each().flatten().map(pattern).collect();
        assert_eq!(each, [r"% 100\%\_x%", r"% a\\b%", "% o'neill%"]);
        let account = AccountId::from_u128(7);
        let texts = |pieces: Vec<Piece>| -> Vec<String> {
            let pieces = pieces.into_iter();
            pieces
                .filter_map(|piece| if let Piece::Text(text) = piece { Some(text) } else { None })
                .collect()
        };
        let products = Searched::whole("products", 'p');
        let mut pieces = Vec::new();
        products.push_match(account, &words, &mut pieces);
        assert_eq!(
            texts(pieces),
            [r"('0000000007100%_x':*) & ('0000000007a\\b':*) & ('0000000007o''neill':*)"]
        );
        let mut pieces = Vec::new();
        products.push_ids_in_fts(account, &words, &mut pieces);
        assert_eq!(
            texts(pieces),
            [r#"("p0000000007100%_x"*) AND ("p0000000007a\b"*) AND ("p0000000007o'neill"*)"#]
        );
    }
}
