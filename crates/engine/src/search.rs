//! Full-text search on both databases: the condition that a row is found by some words.
//!
//! A row keeps its [terms](kernel::search::Terms) in `search_text`. They are looked for either in the rows themselves,
//! which is quick for a few thousand of them, or in the index over all of them, which is quick for words that few have:
//! a GIN index of `search_terms` on PostgreSQL, the FTS5 table `search_index` on SQLite.
//!
//! An index of a dozen terms costs as much as all else that writing an order does. So orders are not in it themselves:
//! their customers and [blocks](Lead::Block) of orders are, and lead to them. The terms of wide rows that change often are
//! [beside them](Lead::Beside): PostgreSQL would enter them in the index anew with every change.

mod pieces;

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

use self::pieces::Pieces;
use crate::db::Db;

type Backend = <Db as Connection>::Backend;

/// The version of the rules by which terms are made: rows of older ones are made anew.
pub const VERSION: i64 = 1;

/// A table with terms.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    /// Its name.
    pub table: &'static str,
    /// What stands before its terms in the index on SQLite, which all tables share.
    pub letter: char,
    /// What leads to its rows, where its own terms are not in the index.
    pub leads: &'static [Lead],
    /// The table that has their terms, by the same account and identifier.
    pub terms_in: &'static str,
}

/// Something that leads to rows whose terms are not in the index themselves.
#[derive(Clone, Copy, Debug)]
pub enum Lead {
    /// A row of another table with all of the words, which this column names.
    Through(&'static str, &'static Searched),
    /// A number, in this column.
    Number(&'static str),
    /// A block of rows with one of the words. The column has the number of a row; blocks have their `first_number`, their
    /// `last_number`, and all terms of their rows. Rows behind the last block are looked at one by one.
    Block(&'static str, &'static Searched),
    /// A [row](Wanted::Row) itself.
    Row,
    /// The terms of a row, all of the words among them, in a table beside it.
    Beside(&'static Searched),
}

impl Lead {
    /// Whether it is terms elsewhere that lead.
    const fn is_elsewhere(&self) -> bool {
        matches!(self, Self::Through(..) | Self::Beside(_))
    }

    /// Whether it is terms elsewhere that lead by this.
    const fn has(&self, wanted: &Wanted) -> bool {
        match self {
            // What is found as a whole only is a row's own.
            Self::Through(..) => wanted.is_prefix(),
            Self::Beside(_) => is_term(wanted),
            Self::Number(_) | Self::Block(..) | Self::Row => false,
        }
    }
}

/// Whether it is looked for among terms.
const fn is_term(wanted: &Wanted) -> bool {
    !matches!(wanted, Wanted::Number(_) | Wanted::Row(_))
}

impl Searched {
    /// A table whose terms are in the index.
    pub const fn indexed(table: &'static str, letter: char) -> Self {
        Self { table, letter, leads: &[], terms_in: table }
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
        let indexed = words.some(|place| places.has(place));
        let mut pieces = Pieces(Vec::new());
        if self.leads.is_empty() {
            pieces.begin(self.table, db);
            match db {
                Db::Postgres(_) => {
                    pieces.sql(["SELECT q.ctid FROM ", self.table, " q WHERE "]);
                    pieces.gin("q", account, &indexed);
                    pieces.own("q", account);
                }
                Db::Sqlite(_) => pieces.fts(self, account, &indexed),
            }
            pieces.end(db);
            pieces.0.extend(self.in_rows(&words.some(|place| !places.has(place))).0);
            return Condition(pieces.0);
        }
        pieces.led_by_all(self, db, account, &indexed);
        // A lead may lead to more: the row itself tells what it has.
        pieces.0.extend(self.in_rows(words).0);
        Condition(pieces.0)
    }

    fn in_rows(self, words: &Words) -> Condition {
        let mut pieces = Vec::new();
        for alternatives in words.each() {
            pieces.push(Piece::Sql(if pieces.is_empty() { "((" } else { " AND (" }));
            for (position, wanted) in alternatives.iter().enumerate() {
                pieces.push(Piece::Sql(if position == 0 { "" } else { " OR " }));
                pieces.extend(self.has(wanted));
            }
            pieces.push(Piece::Sql(")"));
        }
        pieces.push(Piece::Sql(if pieces.is_empty() { "1 = 1" } else { ")" }));
        Condition(pieces)
    }

    /// The condition that a row has one of the alternatives of a word.
    fn has(self, wanted: &Wanted) -> Vec<Piece> {
        if let Wanted::Row(id) = wanted {
            let id = Piece::Text(id.clone());
            return vec![Piece::Sql(self.table), Piece::Sql(".id = "), id];
        }
        let mut pieces = vec![Piece::Sql("(' ' || ")];
        if self.terms_in == self.table {
            pieces.extend([self.table, ".search_text"].map(Piece::Sql));
        } else {
            // Not joined: planners would read all terms of the account for a few rows.
            let (terms, table) = (self.terms_in, self.table);
            let beside = ["(SELECT t.search_text FROM ", terms, " t WHERE t.account_id = "];
            pieces.extend(beside.map(Piece::Sql));
            pieces.extend([table, ".account_id AND t.id = ", table, ".id)"].map(Piece::Sql));
        }
        let like = [Piece::Text(pattern(wanted)), Piece::Sql(" ESCAPE '\\'")];
        pieces.push(Piece::Sql(" || ' ') LIKE "));
        pieces.extend(like);
        pieces
    }
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
        let products = Searched::indexed("products", 'p');
        let mut pieces = Pieces(Vec::new());
        pieces.gin("products", account, &words);
        assert_eq!(
            texts(pieces.0),
            [r"('0000000007100%_x':*) & ('0000000007a\\b':*) & ('0000000007o''neill':*)"]
        );
        let mut pieces = Pieces(Vec::new());
        pieces.fts(products, account, &words);
        assert_eq!(
            texts(pieces.0),
            [r#"("p0000000007100%_x"*) AND ("p0000000007a\b"*) AND ("p0000000007o'neill"*)"#]
        );
    }
}
