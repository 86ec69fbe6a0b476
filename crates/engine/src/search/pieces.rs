//! Writes the conditions that look for words in the indexes.

use kernel::{
    AccountId,
    search::{Wanted, Words},
};

use super::{Lead, Piece, Searched, is_term};
use crate::db::Db;

/// The last characters of an account that stand before each of its terms in an index.
const ACCOUNT_CHARS: usize = 10;

/// No row is so many numbers behind the last block. A range with two ends tells PostgreSQL that it is small: of one
/// with one end it expects a third of the table.
const FAR_BEHIND: i64 = 1_000_000_000_000;

/// Pieces of a condition, being written.
pub(super) struct Pieces(pub(super) Vec<Piece>);

impl Pieces {
    pub(super) fn sql<const N: usize>(&mut self, texts: [&'static str; N]) {
        self.0.extend(texts.map(Piece::Sql));
    }

    fn account(&mut self, account: AccountId) {
        self.0.push(Piece::Text(account.to_string()));
    }

    /// Begins the condition that a row is among those that a query selects, which follows, by their [places](row).
    ///
    /// PostgreSQL takes one set of places, made before the rows are read: joined with them, a wrong estimate of how many there
    /// are costs seconds.
    pub(super) fn begin(&mut self, table: &'static str, db: &Db) {
        self.sql(match db {
            Db::Postgres(_) => [table, ".ctid = ANY(ARRAY("],
            Db::Sqlite(_) => [table, ".id IN ("],
        });
    }

    /// Ends it; a condition follows.
    pub(super) fn end(&mut self, db: &Db) {
        self.sql([if matches!(db, Db::Postgres(_)) { ")) AND " } else { ") AND " }]);
    }

    /// The condition of PostgreSQL that a row found by words is of the account, in a way that no index answers: to see which of a
    /// few rows are its, it would read the keys of all that it has.
    pub(super) fn own(&mut self, table: &'static str, account: AccountId) {
        self.sql([" AND ", table, ".account_id || '' = "]);
        self.account(account);
    }

    /// The condition that all words lead to a row.
    ///
    /// A lead to another row leads there with all of the words, a name with the surname: by each of them it would lead to many
    /// more. A row that has one of the words otherwise is found by that one.
    pub(super) fn led_by_all(
        &mut self,
        searched: Searched,
        db: &Db,
        account: AccountId,
        words: &Words,
    ) {
        let Searched { table, leads, .. } = searched;
        let is_elsewhere = |place: usize| {
            let word = words.some(|it| it == place);
            word.each().flatten().any(|wanted| leads.iter().any(|lead| lead.has(wanted)))
        };
        let together = Some(words.some(is_elsewhere)).filter(|words| !words.is_empty());
        let others = (0..words.count()).filter(|place| !is_elsewhere(*place));
        let others = others.map(|place| words.some(|it| it == place));
        self.begin(table, db);
        for (position, group) in together.into_iter().chain(others).enumerate() {
            match (position, db) {
                (0, Db::Postgres(_)) => self.sql(["("]),
                (0, Db::Sqlite(_)) => {}
                (_, Db::Postgres(_)) => self.sql([") INTERSECT ("]),
                (_, Db::Sqlite(_)) => self.sql([") AND ", table, ".id IN ("]),
            }
            self.led_by_any(searched, db, account, &group);
        }
        if matches!(db, Db::Postgres(_)) {
            self.sql([")"]);
        }
        self.end(db);
    }

    /// Selects the rows to which leads elsewhere lead by all of the words, and the others by one of them.
    fn led_by_any(&mut self, searched: Searched, db: &Db, account: AccountId, words: &Words) {
        let mut union = "";
        for lead in searched.leads {
            let each = (0..words.count()).map(|place| words.some(|it| it == place));
            let asked = match lead.is_elsewhere() {
                true => vec![words.filtered(|it| lead.has(it))],
                false => each.collect(),
            };
            for asked in asked {
                self.sql([union]);
                self.led(searched.table, lead, db, account, &asked);
                union = " UNION ALL ";
            }
        }
    }

    /// Selects the rows to which something leads that is found by all of the words.
    fn led(
        &mut self,
        table: &'static str,
        lead: &Lead,
        db: &Db,
        account: AccountId,
        words: &Words,
    ) {
        match *lead {
            Lead::Beside(other) => match db {
                Db::Postgres(_) => {
                    self.sql(["SELECT p.ctid FROM ("]);
                    self.ids(*other, db, account, words);
                    self.sql([") w CROSS JOIN LATERAL (SELECT p.ctid FROM ", table, " p"]);
                    self.sql([" WHERE p.account_id = "]);
                    self.account(account);
                    // As in `by_keys`.
                    self.sql([" AND p.id >= w.id AND p.id <= w.id ORDER BY p.id LIMIT 1) p"]);
                }
                Db::Sqlite(_) => self.ids(*other, db, account, words),
            },
            Lead::Through(column, other) => {
                self.through((table, column), *other, db, account, words);
            }
            Lead::Block(column, blocks) => {
                let terms = words.filtered(is_term);
                self.in_blocks((table, column), *blocks, db, account, &terms);
            }
            Lead::Number(column) => {
                let numbers = words.each().flatten().filter_map(|wanted| match wanted {
                    Wanted::Number(number) => Some(Piece::Number(*number)),
                    _ => None,
                });
                self.rows_of(table, db, account);
                self.sql([" AND o.", column]);
                self.is_among(numbers);
            }
            Lead::Row => {
                let ids = words.each().flatten().filter_map(|wanted| match wanted {
                    Wanted::Row(id) => Some(Piece::Text(id.clone())),
                    _ => None,
                });
                self.rows_of(table, db, account);
                self.sql([" AND o.id"]);
                self.is_among(ids);
            }
        }
    }

    /// Selects an account's rows; conditions may follow.
    fn rows_of(&mut self, table: &'static str, db: &Db, account: AccountId) {
        self.sql(["SELECT o.", row(db), " FROM ", table, " o WHERE o.account_id = "]);
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

    /// Selects the rows whose column names a row of another table with all words.
    fn through(
        &mut self,
        (table, column): (&'static str, &'static str),
        other: Searched,
        db: &Db,
        account: AccountId,
        words: &Words,
    ) {
        if words.is_empty() {
            self.sql(["SELECT o.", row(db), " FROM ", table, " o WHERE 1 = 0"]);
            return;
        }
        // Found once, and not for each row.
        let (begin, end) = match db {
            Db::Postgres(_) => (" = ANY(ARRAY(", "))"),
            Db::Sqlite(_) => (" IN (", ")"),
        };
        self.rows_of(table, db, account);
        self.sql([" AND o.", column, begin]);
        self.ids(other, db, account, words);
        self.sql([end]);
    }

    /// Selects the rows in blocks with all words, and those behind the last block.
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
                self.sql(["SELECT o.ctid FROM (SELECT b.first_number, b.last_number FROM "]);
                self.sql([blocks.table, " b WHERE "]);
                self.gin("b", account, words);
                self.own("b", account);
                self.sql([" OFFSET 0) b CROSS JOIN LATERAL ("]);
                self.rows_of(table, db, account);
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
        self.rows_of(table, db, account);
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
    pub(super) fn gin(&mut self, table: &'static str, account: AccountId, words: &Words) {
        let scope = scope(account);
        let term = |wanted: &Wanted| {
            let star = if wanted.is_prefix() { ":*" } else { "" };
            format!("{}{star}", lexeme(&scope, &wanted.term()))
        };
        self.sql(["search_terms(", table, ".account_id, ", table, ".search_text) @@ "]);
        self.0.push(Piece::Text(all_of(words, " & ", " | ", term)));
        self.sql(["::tsquery"]);
    }

    pub(super) fn fts(&mut self, searched: Searched, account: AccountId, words: &Words) {
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

/// What a statement of each database knows rows by.
const fn row(db: &Db) -> &'static str {
    match db {
        Db::Postgres(_) => "ctid",
        Db::Sqlite(_) => "id",
    }
}
