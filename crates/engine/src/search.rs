//! Full-text search on both databases: the condition that a row is found by some words.
//!
//! A row keeps its [terms](kernel::search::Terms) in `search_text`. They are looked for either in the rows themselves,
//! which is quick for a few thousand of them, or in the index over all of them, which is quick for words that few have:
//! a GIN index of `search_terms` on PostgreSQL, the FTS5 table `search_index` on SQLite.
//!
//! An index of a dozen terms costs as much as all else that writing an order does. So orders are not in it themselves:
//! their customers and [blocks](Lead::Block) of orders are, and lead to them. The terms of wide rows that change often are
//! [beside them](Lead::Beside): PostgreSQL would enter them in the index anew with every change.

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

/// No row is so many numbers behind the last block. A range with two ends tells PostgreSQL that it is small: of one
/// with one end it expects a third of the table.
const FAR_BEHIND: i64 = 1_000_000_000_000;

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
    /// A row of another table with the word, which this column names.
    Through(&'static str, &'static Searched),
    /// A number, in this column.
    Number(&'static str),
    /// A block of rows with the word. The column has the number of a row; blocks have their `first_number`, their
    /// `last_number`, and all terms of their rows. Rows behind the last block are looked at one by one.
    Block(&'static str, &'static Searched),
    /// A [row](Wanted::Row) itself.
    Row,
    /// The terms of a row, in a table beside it.
    Beside(&'static Searched),
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
            match db {
                Db::Postgres(_) => pieces.gin(self.table, account, &indexed),
                Db::Sqlite(_) => {
                    pieces.sql([self.table, ".id IN ("]);
                    pieces.ids(self, db, account, &indexed);
                    pieces.sql([")"]);
                }
            }
            pieces.sql([" AND "]);
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

/// Pieces of a condition, being written.
struct Pieces(Vec<Piece>);

impl Pieces {
    fn sql<const N: usize>(&mut self, texts: [&'static str; N]) {
        self.0.extend(texts.map(Piece::Sql));
    }

    fn account(&mut self, account: AccountId) {
        self.0.push(Piece::Text(account.to_string()));
    }

    /// The condition that each word leads to a row.
    fn led_by_all(&mut self, searched: Searched, db: &Db, account: AccountId, words: &Words) {
        let Searched { table, leads, .. } = searched;
        // PostgreSQL takes one set of identifiers, made before the rows are read: joined with them, and with each
        // other, a wrong estimate of how many there are costs seconds. And it looks each of them up by its key: asked for
        // all of the account's that are in the set, it walks an index that has something else between the two once for each.
        let is_postgres = matches!(db, Db::Postgres(_));
        let begin =
            if is_postgres { ".ctid = ANY(ARRAY(SELECT q.ctid FROM ((" } else { ".id IN (" };
        self.sql([table, begin]);
        for place in 0..words.count() {
            match (place, is_postgres) {
                (0, _) => {}
                (_, true) => self.sql([") INTERSECT ("]),
                (_, false) => self.sql([") AND ", table, ".id IN ("]),
            }
            let word = words.some(|it| it == place);
            for (position, lead) in leads.iter().enumerate() {
                self.sql([if position == 0 { "" } else { " UNION ALL " }]);
                self.led(table, lead, db, account, &word);
            }
        }
        if is_postgres {
            self.sql([")) w (id) CROSS JOIN LATERAL (SELECT p.ctid FROM ", table, " p"]);
            self.sql([" WHERE p.account_id = "]);
            self.account(account);
            // As in `by_keys`.
            self.sql([" AND p.id >= w.id AND p.id <= w.id ORDER BY p.id LIMIT 1) q)"]);
        }
        self.sql([") AND "]);
    }

    /// Selects the identifiers of rows to which something leads that is found by a word.
    fn led(&mut self, table: &'static str, lead: &Lead, db: &Db, account: AccountId, word: &Words) {
        let terms = || word.filtered(|it| !matches!(it, Wanted::Number(_) | Wanted::Row(_)));
        match *lead {
            Lead::Beside(other) => self.ids(*other, db, account, &terms()),
            Lead::Through(column, other) => {
                // What is found as a whole only is a row's own.
                let starts = word.filtered(Wanted::is_prefix);
                self.through((table, column), *other, db, account, &starts);
            }
            Lead::Block(column, blocks) => {
                self.in_blocks((table, column), *blocks, db, account, &terms());
            }
            Lead::Number(column) => {
                let numbers = word.each().flatten().filter_map(|wanted| match wanted {
                    Wanted::Number(number) => Some(Piece::Number(*number)),
                    _ => None,
                });
                self.rows_of(table, account);
                self.sql([" AND o.", column]);
                self.is_among(numbers);
            }
            Lead::Row => {
                let ids = word.each().flatten().filter_map(|wanted| match wanted {
                    Wanted::Row(id) => Some(Piece::Text(id.clone())),
                    _ => None,
                });
                self.rows_of(table, account);
                self.sql([" AND o.id"]);
                self.is_among(ids);
            }
        }
    }

    /// Selects the identifiers of an account's rows; conditions may follow.
    fn rows_of(&mut self, table: &'static str, account: AccountId) {
        self.sql(["SELECT o.id FROM ", table, " o WHERE o.account_id = "]);
        self.account(account);
    }

    /// The condition that what stands before is one of these, of which there may be none.
    fn is_among(&mut self, values: impl Iterator<Item = Piece>) {
        self.sql([" IN (NULL"]);
        for value in values {
            self.sql([", "]);
            self.0.push(value);
        }
        self.sql([")"]);
    }

    /// Selects the identifiers of rows whose column names a row of another table with all words.
    fn through(
        &mut self,
        (table, column): (&'static str, &'static str),
        other: Searched,
        db: &Db,
        account: AccountId,
        words: &Words,
    ) {
        if words.is_empty() {
            self.sql(["SELECT o.id FROM ", table, " o WHERE 1 = 0"]);
            return;
        }
        // Found once, and not for each row.
        let (begin, end) = match db {
            Db::Postgres(_) => (" = ANY(ARRAY(", "))"),
            Db::Sqlite(_) => (" IN (", ")"),
        };
        self.rows_of(table, account);
        self.sql([" AND o.", column, begin]);
        self.ids(other, db, account, words);
        self.sql([end]);
    }

    /// Selects the identifiers of rows in blocks with all words, and of those behind the last block.
    fn in_blocks(
        &mut self,
        (table, column): (&'static str, &'static str),
        blocks: Searched,
        db: &Db,
        account: AccountId,
        words: &Words,
    ) {
        // Few blocks first, then their rows: SQLite keeps to the order of a CROSS JOIN, PostgreSQL to that of what it cannot take
        // apart.
        let within = [" AND o.", column, " BETWEEN b.first_number AND b.last_number"];
        match db {
            Db::Postgres(_) => {
                self.sql(["SELECT o.id FROM (SELECT b.first_number, b.last_number FROM "]);
                self.sql([blocks.table, " b WHERE b.account_id = "]);
                self.account(account);
                self.sql([" AND "]);
                self.gin("b", account, words);
                self.sql([" OFFSET 0) b CROSS JOIN LATERAL ("]);
                self.rows_of(table, account);
                self.sql(within);
                self.sql([" OFFSET 0) o"]);
            }
            Db::Sqlite(_) => {
                self.sql(["SELECT o.id FROM ", blocks.table, " b CROSS JOIN ", table, " o"]);
                self.sql([" WHERE b.account_id = "]);
                self.account(account);
                self.sql([" AND b.id IN ("]);
                self.fts(blocks, account, words);
                self.sql([") AND o.account_id = "]);
                self.account(account);
                self.sql(within);
            }
        }
        self.sql([" UNION ALL "]);
        self.rows_of(table, account);
        self.sql([" AND o.", column, " BETWEEN 1 + "]);
        self.last_of(blocks, account);
        self.sql([" AND "]);
        self.0.push(Piece::Number(FAR_BEHIND));
        self.sql([" + "]);
        self.last_of(blocks, account);
    }

    /// The number of the last row in a block, or 0.
    fn last_of(&mut self, blocks: Searched, account: AccountId) {
        self.sql(["COALESCE((SELECT MAX(last_number) FROM ", blocks.table, " WHERE account_id = "]);
        self.account(account);
        self.sql(["), 0)"]);
    }

    /// Selects the identifiers of rows with all words in the index; perhaps some of other accounts too.
    fn ids(&mut self, searched: Searched, db: &Db, account: AccountId, words: &Words) {
        match db {
            Db::Postgres(_) => {
                self.sql(["SELECT id FROM ", searched.table, " WHERE "]);
                self.gin(searched.table, account, words);
            }
            Db::Sqlite(_) => self.fts(searched, account, words),
        }
    }

    /// The condition of PostgreSQL that a row of a table, by its name in the statement, has all words in the index.
    fn gin(&mut self, table: &'static str, account: AccountId, words: &Words) {
        let scope = scope(account);
        let term = |wanted: &Wanted| {
            let star = if wanted.is_prefix() { ":*" } else { "" };
            format!("{}{star}", lexeme(&scope, &wanted.term()))
        };
        self.sql(["search_terms(", table, ".account_id, ", table, ".search_text) @@ "]);
        self.0.push(Piece::Text(all_of(words, " & ", " | ", term)));
        self.sql(["::tsquery"]);
    }

    fn fts(&mut self, searched: Searched, account: AccountId, words: &Words) {
        let scope = format!("{}{}", searched.letter, scope(account));
        let term = |wanted: &Wanted| {
            let star = if wanted.is_prefix() { "*" } else { "" };
            format!("\"{scope}{}\"{star}", wanted.term().replace('"', "\"\""))
        };
        self.sql(["SELECT r.id FROM search_index i JOIN search_rows r ON r.number = i.rowid \
             WHERE i.search_index MATCH "]);
        self.0.push(Piece::Text(all_of(words, " AND ", " OR ", term)));
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
