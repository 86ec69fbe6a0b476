//! Full-text search on both databases: the condition that a row is found by some words.
//!
//! A row keeps its [terms](kernel::search::Terms) in `search_text`. They are looked for either in the rows themselves,
//! which is quick for a few thousand of them, or in the index over all of them, which is quick for words that few have:
//! a GIN index of `search_terms` on PostgreSQL, the FTS5 table `search_index` on SQLite.

use diesel::{
    Connection, QueryResult,
    expression::{Expression, ValidGrouping, is_aggregate},
    query_builder::{AstPass, QueryFragment, QueryId},
    query_source::QuerySource,
    sql_types::{Bool, Text},
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
    /// What stands before its terms in the index on SQLite, which all tables share.
    pub letter: char,
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
}

impl Searched {
    /// The condition that a row of an account is found by all words.
    pub fn finds(self, db: &Db, look: Look, account: AccountId, words: &Words) -> Condition {
        match (look, db) {
            (Look::Rows, _) => self.in_rows(words),
            (Look::Index(places), db) => {
                let indexed = words.some(|place| places.has(place));
                let Condition(mut pieces) = match db {
                    Db::Postgres(_) => self.in_gin(account, &indexed),
                    Db::Sqlite(_) => self.in_fts(account, &indexed),
                };
                pieces.push(Piece::Sql(" AND "));
                pieces.extend(self.in_rows(&words.some(|place| !places.has(place))).0);
                Condition(pieces)
            }
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

    fn in_gin(self, account: AccountId, words: &Words) -> Condition {
        let scope = scope(account);
        let term = |wanted: &Wanted| match wanted {
            Wanted::Prefix(word) => format!("{}:*", lexeme(&scope, word)),
            Wanted::Whole(word) => lexeme(&scope, word),
        };
        Condition(vec![
            Piece::Sql("search_terms("),
            Piece::Sql(self.table),
            Piece::Sql(".account_id, "),
            Piece::Sql(self.table),
            Piece::Sql(".search_text) @@ "),
            Piece::Text(all_of(words, " & ", " | ", term)),
            Piece::Sql("::tsquery"),
        ])
    }

    fn in_fts(self, account: AccountId, words: &Words) -> Condition {
        let scope = format!("{}{}", self.letter, scope(account));
        let term = |wanted: &Wanted| {
            let (word, star) = match wanted {
                Wanted::Prefix(word) => (word, "*"),
                Wanted::Whole(word) => (word, ""),
            };
            format!("\"{scope}{}\"{star}", word.replace('"', "\"\""))
        };
        Condition(vec![
            Piece::Sql(self.table),
            Piece::Sql(
                ".id IN (SELECT r.id FROM search_index i JOIN search_rows r ON r.number = i.rowid \
                 WHERE i.search_index MATCH ",
            ),
            Piece::Text(all_of(words, " AND ", " OR ", term)),
            Piece::Sql(")"),
        ])
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
    let (word, end) = match wanted {
        Wanted::Prefix(word) => (word, "%"),
        Wanted::Whole(word) => (word, " %"),
    };
    let mut pattern = String::from("% ");
    for c in word.chars() {
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
        let texts = |condition: Condition| -> Vec<String> {
            let pieces = condition.0.into_iter();
            pieces
                .filter_map(|piece| if let Piece::Text(text) = piece { Some(text) } else { None })
                .collect()
        };
        let products = Searched { table: "products", letter: 'p' };
        assert_eq!(
            texts(products.in_gin(account, &words)),
            [r"('0000000007100%_x':*) & ('0000000007a\\b':*) & ('0000000007o''neill':*)"]
        );
        assert_eq!(
            texts(products.in_fts(account, &words)),
            [r#"("p0000000007100%_x"*) AND ("p0000000007a\b"*) AND ("p0000000007o'neill"*)"#]
        );
    }
}
