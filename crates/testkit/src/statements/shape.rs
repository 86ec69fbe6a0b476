//! What is the same of a statement from call to call.

use std::fmt;

/// The statements whose tables, columns and keys matter; transactions and settings have none.
const WORDS: &[&str] = &["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"];

const UNKNOWN: &str = "unknown";

/// A statement on one line, every list of values or rows cut to its first, and the types of its values where
/// they are numbered, as PostgreSQL has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) text: String,
    types: Vec<String>,
}

impl Shape {
    /// Of a statement and how Rust shows its values; nothing if it is none of interest.
    pub(super) fn of(text: &str, values: &str) -> Option<Self> {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        WORDS.iter().any(|word| line.starts_with(word)).then(|| {
            let types: Vec<String> = elements(values).iter().map(|value| type_of(value)).collect();
            renumbered(&first_row(&first_values(&line)), &types)
        })
    }

    /// As it is written.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let line = line.strip_suffix(';')?;
        let Some(rest) = line.strip_prefix("PREPARE s (") else {
            let text = line.strip_prefix("PREPARE s AS ").unwrap_or(line);
            return Some(Self { text: text.to_owned(), types: Vec::new() });
        };
        let (types, text) = rest.split_once(") AS ")?;
        let types = types.split(", ").map(str::to_owned).collect();
        Some(Self { text: text.to_owned(), types })
    }

    /// Takes over what another run knows of its values.
    pub(super) fn learn(&mut self, other: &Self) {
        for (known, told) in self.types.iter_mut().zip(&other.types) {
            if known == UNKNOWN {
                known.clone_from(told);
            }
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.types.as_slice() {
            [] => write!(f, "{};", self.text),
            types => write!(f, "PREPARE s ({}) AS {};", types.join(", "), self.text),
        }
    }
}

/// `IN ($1, $2, $3)` as `IN ($1)`.
fn first_values(line: &str) -> String {
    let mut parts = line.split(" IN (");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(" IN (");
        let (list, rest) = part.split_once(')').unwrap_or((part, ""));
        let only_values = list.split(", ").all(|value| value.starts_with(['$', '?']));
        match list.split_once(", ") {
            Some((first, _)) if only_values => text.push_str(&format!("{first}){rest}")),
            _ => text.push_str(part),
        }
    }
    text
}

/// `VALUES ($1, $2), ($3, $4)` as `VALUES ($1, $2)`.
fn first_row(line: &str) -> String {
    let Some((head, rows)) = line.split_once("VALUES (") else { return line.to_owned() };
    let (first, mut rest) = rows.split_once(')').unwrap_or((rows, ""));
    while let Some((_, behind)) = rest.strip_prefix(", (").and_then(|row| row.split_once(')')) {
        rest = behind;
    }
    format!("{head}VALUES ({first}){rest}")
}

/// Numbers the values from 1 in the order of their first use, and gives the types of those that are left.
fn renumbered(line: &str, types: &[String]) -> Shape {
    let mut parts = line.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut left: Vec<usize> = Vec::new();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (number, rest) = part.split_at(digits);
        let number: usize = number.parse().expect("values are numbered");
        let place = left.iter().position(|known| *known == number).unwrap_or_else(|| {
            left.push(number);
            left.len() - 1
        });
        text.push_str(&format!("${}{rest}", place + 1));
    }
    let type_of = |number: &usize| types.get(number - 1).cloned().unwrap_or(UNKNOWN.to_owned());
    Shape { text, types: left.iter().map(type_of).collect() }
}

/// The elements of a list as Rust shows it.
fn elements(list: &str) -> Vec<&str> {
    let list = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or_default();
    let (mut found, mut start, mut depth, mut quoted, mut escaped) =
        (Vec::new(), 0, 0, false, false);
    for (place, c) in list.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(list[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    found.push(list[start..].trim());
    found.retain(|element| !element.is_empty());
    found
}

/// PostgreSQL's type of a value as Rust shows it.
fn type_of(value: &str) -> String {
    if let Some(inner) = value.strip_prefix("Some(").and_then(|rest| rest.strip_suffix(')')) {
        return type_of(inner);
    }
    let name = match value.chars().next() {
        Some('"') => "text",
        Some('-' | '0'..='9') => "bigint",
        Some('t' | 'f') => "boolean",
        Some('[') => {
            let types = elements(value).into_iter().map(type_of);
            let known = types.into_iter().find(|known| known != UNKNOWN);
            return known.map_or(UNKNOWN.to_owned(), |known| format!("{known}[]"));
        }
        _ => UNKNOWN,
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, values: &str) -> String {
        Shape::of(text, values).map(|shape| shape.to_string()).unwrap_or_default()
    }

    #[test]
    fn lists_are_cut_to_their_first_value() {
        let text = "DELETE FROM t WHERE a IN ($1, $2, $3) AND b = $4 AND c IN ('x', 'y')";
        assert_eq!(
            shown(text, r#"["a, [1]", "b", "c", Some(-3)]"#),
            "PREPARE s (text, bigint) AS DELETE FROM t WHERE a IN ($1) AND b = $2 AND c IN ('x', 'y');"
        );
        let text = "INSERT INTO `t` (`a`)\n VALUES (?), (?),  (?) ON CONFLICT DO NOTHING";
        assert_eq!(shown(text, "[]"), "INSERT INTO `t` (`a`) VALUES (?) ON CONFLICT DO NOTHING;");
    }

    #[test]
    fn types_are_read_from_values() {
        let values = r#"[["a\"]"], [None, Some(1)], None, true, []]"#;
        let expected = "PREPARE s (text[], bigint[], unknown, boolean, unknown) AS SELECT $1, $2, $3, $4, $5, $1;";
        assert_eq!(shown("SELECT $1, $2, $3, $4, $5, $1", values), expected);
        let shape = Shape::parse(expected).expect("as it is written");
        assert_eq!(shape.to_string(), expected);
    }

    #[test]
    fn only_what_touches_tables_is_kept() {
        for text in ["BEGIN", "SET jit = off", "PRAGMA query_only = ON", "SAVEPOINT s", ""] {
            assert_eq!(shown(text, "[]"), "", "{text}");
        }
    }
}
