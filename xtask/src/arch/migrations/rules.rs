//! What a migration must not do to what the last release uses.

use std::collections::{BTreeMap, BTreeSet};

use super::schema::{Column, Schema, Table, added, altered, condition, defined, unique_index};
use super::sql::{behind, has, parts, skip};

/// Something that a node of the last release would stumble over.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Complaint {
    /// The table or `table.column`.
    pub(super) of: String,
    pub(super) what: String,
}

/// What is wrong with a migration. `left` is what the last release left, `now` what newer migrations have made
/// of it, which this one adds to.
pub(super) fn complaints(
    left: &Schema,
    now: &mut Schema,
    migration: &[Vec<String>],
) -> Vec<Complaint> {
    let mut reader = Reader { left, now, dropped: BTreeSet::new(), found: Vec::new() };
    migration.iter().for_each(|statement| reader.read(statement));
    for table in std::mem::take(&mut reader.dropped) {
        reader.complain(&table, "drops a table");
    }
    reader.found
}

struct Reader<'a> {
    left: &'a Schema,
    now: &'a mut Schema,
    /// Tables of the release that the migration has dropped, and not made anew.
    dropped: BTreeSet<String>,
    found: Vec<Complaint>,
}

impl Reader<'_> {
    fn complain(&mut self, of: &str, what: &str) {
        self.found.push(Complaint { of: of.to_owned(), what: what.to_owned() });
    }

    fn read(&mut self, statement: &[String]) {
        self.now.apply(statement);
        if let Some(rest) = behind(statement, &["drop", "table"]) {
            for part in parts(skip(rest, &["if", "exists"])) {
                let dropped = part.first().filter(|name| self.left.tables.contains_key(*name));
                self.dropped.extend(dropped.cloned());
            }
        } else if let Some((name, rest)) = altered(statement) {
            if let Some(to) = behind(rest, &["rename", "to"]).and_then(<[String]>::first) {
                self.rename(&name, to);
            } else if let Some(table) = self.left.tables.get(&name) {
                parts(rest).into_iter().for_each(|action| self.act(&name, table, action));
            }
        } else if let Some((name, condition)) = unique_index(statement) {
            self.index(&name, condition);
        }
    }

    /// A table that takes the place of the one just dropped is the same table, rebuilt.
    fn rename(&mut self, from: &str, to: &str) {
        if self.left.tables.contains_key(from) {
            self.complain(from, "renames a table");
        } else if self.dropped.remove(to)
            && let (Some(new), Some(old)) =
                (self.now.tables.get(to).cloned(), self.left.tables.get(to))
        {
            self.rebuild(to, old, &new);
        }
    }

    fn rebuild(&mut self, name: &str, old: &Table, new: &Table) {
        for (column, old) in &old.columns {
            if let Some(what) = narrowed_by_rebuild(old, new.columns.get(column)) {
                self.complain(&format!("{name}.{column}"), what);
            }
        }
        self.extend(name, old, new);
    }

    /// What a table gets.
    fn extend(&mut self, name: &str, old: &Table, new: &Table) {
        let columns = self.now.tables.get(name).map(|table| table.columns.clone());
        let columns = columns.unwrap_or_default();
        let added = new.columns.iter().filter(|(column, _)| !old.columns.contains_key(*column));
        for (column, _) in added.filter(|(_, column)| must_be_given(column)) {
            self.complain(
                &format!("{name}.{column}"),
                "adds a column with NOT NULL and without DEFAULT",
            );
        }
        for condition in &new.conditions {
            if !is_met(condition, old, &columns) {
                self.complain(name, &format!("narrows what a table holds by `{condition}`"));
            }
        }
    }

    fn act(&mut self, name: &str, table: &Table, action: &[String]) {
        let column_behind = |start: &[&str]| {
            let rest = skip(skip(behind(action, start)?, &["column"]), &["if", "exists"]);
            rest.split_first().filter(|(column, _)| table.columns.contains_key(*column))
        };
        if let Some(definition) = added(action) {
            self.extend(name, table, &defined(definition));
        } else if let Some(condition) = behind(action, &["add"]).and_then(condition) {
            let new = Table { conditions: [condition].into(), ..Table::default() };
            self.extend(name, table, &new);
        } else if let Some((column, _)) = column_behind(&["drop"]) {
            self.complain(&format!("{name}.{column}"), "drops a column");
        } else if let Some((column, _)) = column_behind(&["rename"]) {
            self.complain(&format!("{name}.{column}"), "renames a column");
        } else if let Some((column, change)) = column_behind(&["alter"])
            && let Some(what) = narrowed(change)
        {
            self.complain(&format!("{name}.{column}"), what);
        } else if has(action, &["set", "not", "null"]) {
            self.complain(name, "adds NOT NULL to a column that the release does not name");
        }
    }

    /// A unique index is a condition like any other.
    fn index(&mut self, name: &str, condition: String) {
        if let Some(table) = self.left.tables.get(name) {
            let new = Table { conditions: [condition].into(), ..Table::default() };
            self.extend(name, table, &new);
        }
    }
}

fn must_be_given(column: &Column) -> bool {
    column.not_null && !column.has_default
}

/// How a column is narrower in the rebuilt table, if it is.
fn narrowed_by_rebuild(old: &Column, new: Option<&Column>) -> Option<&'static str> {
    match new {
        None => Some("drops a column"),
        Some(new) if new.kind != old.kind => Some("changes the type of a column"),
        Some(new) if new.not_null && !old.not_null => Some("adds NOT NULL"),
        Some(new) if old.has_default && !new.has_default => Some("drops a default"),
        Some(_) => None,
    }
}

/// How a change of a column narrows it, if it does.
fn narrowed(change: &[String]) -> Option<&'static str> {
    let is = |words: &[&str]| behind(change, words).is_some();
    if is(&["type"]) || is(&["set", "data", "type"]) {
        Some("changes the type of a column")
    } else if is(&["set", "not", "null"]) {
        Some("adds NOT NULL")
    } else if is(&["drop", "default"]) {
        Some("drops a default")
    } else {
        None
    }
}

/// Whether the rows of the last release meet a condition: it is one of theirs, or that or something else, allows more values
/// than theirs, is a key that has theirs in it,
/// or is about new ones of the table's columns, which they leave empty or at their default.
fn is_met(condition: &str, old: &Table, columns: &BTreeMap<String, Column>) -> bool {
    if old.conditions.contains(condition) {
        return true;
    }
    if let Some(key) = key(condition) {
        let theirs = old.conditions.iter().filter_map(|theirs| self::key(theirs));
        if theirs.into_iter().any(|theirs| theirs.implies(&key)) {
            return true;
        }
    }
    if alternatives(condition).any(|one| old.conditions.contains(&format!("check ( {one} )"))) {
        return true;
    }
    let words: Vec<&str> = condition.split(' ').collect();
    let mut fresh = words.iter().filter_map(|word| {
        let fresh = !old.columns.contains_key(*word);
        columns.get(*word).filter(|_| fresh)
    });
    if words.first() == Some(&"unique") {
        return fresh.any(|column| !column.has_default);
    }
    if let Some((column, values)) = listed(condition)
        && old.columns.contains_key(column)
    {
        let theirs = old.conditions.iter().filter_map(|theirs| listed(theirs));
        let mut theirs = theirs.filter(|(of, _)| *of == column).peekable();
        return theirs.peek().is_some() && theirs.all(|(_, theirs)| theirs.is_subset(&values));
    }
    // The table that a column references has columns of its own.
    let own = words.split(|word| *word == "references").next().unwrap_or_default();
    fresh.next().is_some() && !own.iter().any(|word| old.columns.contains_key(*word))
}

/// Columns that no two rows have alike, or no two of those that meet a condition.
struct Key<'a> {
    columns: BTreeSet<&'a str>,
    of: Option<&'a str>,
}

impl Key<'_> {
    /// Whether rows that differ by this one differ by the other, which has more columns or is about fewer rows.
    fn implies(&self, other: &Self) -> bool {
        self.columns.is_subset(&other.columns) && (self.of.is_none() || self.of == other.of)
    }
}

/// The key of `primary key ( columns )` and of `unique ( columns ) where condition`.
fn key(condition: &str) -> Option<Key<'_>> {
    let starts = ["primary key ( ", "unique ( "];
    let rest = starts.iter().find_map(|start| condition.strip_prefix(start))?;
    let (columns, rest) = rest.split_once(" )")?;
    Some(Key { columns: columns.split(" , ").collect(), of: rest.trim().strip_prefix("where ") })
}

/// The alternatives of `check ( one or another )`.
fn alternatives(condition: &str) -> impl Iterator<Item = &str> {
    let all = condition.strip_prefix("check ( ").and_then(|rest| rest.strip_suffix(" )"));
    let plain = all.filter(|all| !all.contains(['(', ')']));
    plain.into_iter().flat_map(|all| all.split(" or "))
}

/// The column and the values of `check ( column in ( values ) )` and of `check ( column = value or column in ( values ) )`.
fn listed(condition: &str) -> Option<(&str, BTreeSet<&str>)> {
    let condition = condition.strip_prefix("check ( ")?;
    let (first, list) =
        condition.split_once(" or ").map_or((None, condition), |(first, list)| (Some(first), list));
    let (column, values) = list.split_once(" in ( ")?;
    let values = values.strip_suffix(" ) )")?;
    let simple = !column.contains(' ') && !values.contains('(');
    let mut values: BTreeSet<&str> = simple.then(|| values.split(" , ").collect())?;
    if let Some(first) = first {
        values.insert(
            first.strip_prefix(column)?.strip_prefix(" = ").filter(|value| !value.contains(' '))?,
        );
    }
    Some((column, values))
}

#[cfg(test)]
mod tests;
