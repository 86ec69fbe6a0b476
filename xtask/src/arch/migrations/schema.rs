//! The tables that migrations make.

use std::collections::{BTreeMap, BTreeSet};

use super::sql::{behind, has, parenthesised, parts, skip};

/// Words that begin a condition of a table, where a column would begin with its name.
const CONDITIONS: &[&str] = &["primary", "foreign", "unique", "check", "constraint", "exclude"];
/// Words that end the type of a column.
const BEHIND_TYPE: &[&str] = &[
    "not",
    "null",
    "default",
    "check",
    "references",
    "unique",
    "primary",
    "collate",
    "constraint",
];

/// Tables by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Schema {
    pub(super) tables: BTreeMap<String, Table>,
}

/// A table.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) columns: BTreeMap<String, Column>,
    /// What rows must satisfy, written alike.
    pub(super) conditions: BTreeSet<String>,
}

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) kind: String,
    pub(super) not_null: bool,
    pub(super) has_default: bool,
}

impl Schema {
    /// Takes a statement into account.
    pub(super) fn apply(&mut self, statement: &[String]) {
        if let Some((name, table)) = created(statement) {
            self.tables.insert(name, table);
        } else if let Some((name, rest)) = altered(statement) {
            if let Some(to) = behind(rest, &["rename", "to"]).and_then(<[String]>::first) {
                let table = self.tables.remove(&name).unwrap_or_default();
                self.tables.insert(to.clone(), table);
            } else if let Some(table) = self.tables.get_mut(&name) {
                parts(rest).into_iter().filter_map(added).for_each(|column| table.add(column));
            }
        } else if let Some((name, condition)) = unique_index(statement) {
            self.tables.get_mut(&name).map(|table| table.conditions.insert(condition));
        } else if let Some(rest) = behind(statement, &["drop", "table"]) {
            skip(rest, &["if", "exists"]).first().and_then(|name| self.tables.remove(name));
        }
    }
}

impl Table {
    fn add(&mut self, definition: &[String]) {
        let Some((name, rest)) = definition.split_first() else { return };
        let kind = rest.iter().take_while(|word| !BEHIND_TYPE.contains(&word.as_str()));
        let column = Column {
            kind: kind.cloned().collect::<Vec<_>>().join(" "),
            not_null: has(rest, &["not", "null"]) || has(rest, &["primary", "key"]),
            has_default: has(rest, &["default"]) && !has(rest, &["default", "null"]),
        };
        self.columns.insert(name.clone(), column);
        for (place, word) in rest.iter().enumerate() {
            let tail = rest.get(place..).unwrap_or_default();
            match word.as_str() {
                "check" => {
                    self.conditions.insert(check(tail));
                }
                "unique" => {
                    self.conditions.insert(format!("unique ( {name} )"));
                }
                "references" => {
                    self.conditions.insert(format!("{name} {}", tail.join(" ")));
                }
                _ => {}
            }
        }
    }
}

fn check(words: &[String]) -> String {
    format!("check ( {} )", parenthesised(words).join(" "))
}

/// A condition of a table, without its name.
pub(super) fn condition(words: &[String]) -> Option<String> {
    let words = match behind(words, &["constraint"]) {
        Some(named) => named.get(1..).unwrap_or_default(),
        None => words,
    };
    let first = words.first()?;
    let is_check = first == "check";
    CONDITIONS
        .contains(&first.as_str())
        .then(|| if is_check { check(words) } else { words.join(" ") })
}

/// The table that a statement creates.
pub(super) fn created(statement: &[String]) -> Option<(String, Table)> {
    let rest = skip(behind(statement, &["create", "table"])?, &["if", "not", "exists"]);
    let mut table = Table::default();
    for part in parts(parenthesised(rest)) {
        match condition(part) {
            Some(condition) => drop(table.conditions.insert(condition)),
            None => table.add(part),
        }
    }
    Some((rest.first()?.clone(), table))
}

/// The table that a statement gives a unique index, and that as a condition of its: `unique ( columns )`, with its
/// `where` if it is about some of the rows.
pub(super) fn unique_index(statement: &[String]) -> Option<(String, String)> {
    let rest = behind(statement, &["create", "unique", "index"])?;
    let place = rest.iter().position(|word| word == "on")?;
    let (name, rest) = rest.get(place + 1..)?.split_first()?;
    let columns = parenthesised(rest).join(" ");
    let some = rest.iter().position(|word| word == "where");
    let some =
        some.and_then(|place| rest.get(place..)).map(|words| format!(" {}", words.join(" ")));
    Some((name.clone(), format!("unique ( {columns} ){}", some.unwrap_or_default())))
}

/// The table that a statement alters, and how.
pub(super) fn altered(statement: &[String]) -> Option<(String, &[String])> {
    let rest = skip(behind(statement, &["alter", "table"])?, &["if", "exists"]);
    let (name, actions) = skip(rest, &["only"]).split_first()?;
    Some((name.clone(), actions))
}

/// The definition of the column that an action adds.
pub(super) fn added(action: &[String]) -> Option<&[String]> {
    let rest = behind(action, &["add"])?;
    if condition(rest).is_some() {
        return None;
    }
    Some(skip(skip(rest, &["column"]), &["if", "not", "exists"]))
}

/// The columns and conditions that a definition of one column makes.
pub(super) fn defined(definition: &[String]) -> Table {
    let mut table = Table::default();
    table.add(definition);
    table
}
