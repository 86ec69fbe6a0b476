//! The source files: each says what it is, fits in the head, and leaves nothing unfinished.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Violation, decisions};

const FOLDERS: &[&str] = &["crates", "tools", "xtask"];
const LINES_MAX: usize = 500;

// Put together at compile time: this file is checked as well.
const UNFINISHED: &[&str] = &[
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("dbg", "!("),
    concat!("FIX", "ME"),
];

const SQL: &[&str] =
    &["sql_query(", "diesel::", "\"SELECT ", "\"INSERT INTO ", "\"UPDATE ", "\"DELETE FROM "];

/// Reads every source file; gives how many there are and what is wrong with them.
pub(super) fn check(root: &Path) -> Result<(usize, Vec<Violation>)> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        source_files(&root.join(folder), &mut files)?;
    }
    let mut violations = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let path = file.strip_prefix(root).unwrap_or(file).to_string_lossy();
        violations.extend(check_file(&path, &text));
    }
    Ok((files.len(), violations))
}

/// Adds the source files of a folder, at every depth.
pub(super) fn source_files(dir: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(dir).with_context(|| dir.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("target") {
            source_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

fn check_file(path: &str, text: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    if !is_test(path) {
        if !text.starts_with("//!") {
            found.push("does not say what it is: begin with a `//!` header".to_owned());
        }
        let lines = lines_before_tests(text);
        if lines > LINES_MAX {
            found.push(format!("{lines} lines, more than {LINES_MAX}: split it into a folder"));
        }
    }
    for (index, line) in text.lines().enumerate() {
        let mut complaints = check_line(line, may_speak_sql(path));
        complaints.extend(decisions::check_line(path, line));
        found.extend(complaints.into_iter().map(|what| format!("line {}: {what}", index + 1)));
    }
    found.into_iter().map(|what| Violation { path: path.to_owned(), what }).collect()
}

fn check_line(line: &str, may_speak_sql: bool) -> Vec<String> {
    let code = line.trim_start();
    let indentation = line.strip_suffix(code).unwrap_or_default();
    let mut found = Vec::new();
    if indentation.contains('\t') {
        found.push("tab indentation: run `cargo fmt`".to_owned());
    }
    if line.ends_with(char::is_whitespace) {
        found.push("trailing whitespace: run `cargo fmt`, or change the text".to_owned());
    }
    if let Some(word) = UNFINISHED.iter().find(|word| line.contains(**word)) {
        found.push(format!("`{word}` is unfinished work: finish it, or open an issue"));
    }
    if !may_speak_sql
        && !code.starts_with("//")
        && let Some(word) = SQL.iter().find(|word| line.contains(**word))
    {
        found.push(format!(
            "`{word}` is SQL: only crates/store and the engine below it speak it, move it there"
        ));
    }
    found
}

/// A test grows with what it tells, and needs no header beside its name.
fn is_test(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "tests.rs")
}

fn may_speak_sql(path: &str) -> bool {
    let mut parts = path.split('/');
    let (folder, name, place) = (parts.next(), parts.next(), parts.next());
    let source_of_a_crate = folder == Some("crates") && place == Some("src");
    !source_of_a_crate || matches!(name, Some("engine" | "store" | "testkit"))
}

/// The tests at the end of a file are not held against it.
fn lines_before_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let starts_tests =
        |pair: &[&str]| matches!(pair, ["#[cfg(test)]", module] if module.ends_with('{'));
    lines.windows(2).position(starts_tests).unwrap_or(lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: &str = "crates/orders/src/place.rs";

    #[track_caller]
    fn assert_one(path: &str, text: &str, words: &str) {
        let found = check_file(path, text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].to_string().starts_with(&format!("{path}: ")), "{found:?}");
        assert!(found[0].what.contains(words), "{found:?}");
    }

    #[test]
    fn a_tidy_file_passes() {
        assert_eq!(check_file(PLACE, "//! Places.\n\nfn place() {\n    go();\n}\n"), []);
    }

    #[test]
    fn every_file_says_what_it_is_but_a_test() {
        assert_one(PLACE, "fn place() {}\n", "header");
        assert_one(PLACE, "", "header");
        assert_eq!(check_file("crates/orders/tests/it/main.rs", "mod place;\n"), []);
    }

    #[test]
    fn long_files_are_split_but_their_tests_do_not_count() {
        let code = format!("//! Long.\n{}", "fn a() {}\n".repeat(LINES_MAX));
        assert_one(PLACE, &code, "501 lines");
        assert_eq!(check_file("crates/orders/src/place/tests.rs", &code), []);
        let tests = "#[cfg(test)]\nmod tests {\n}\n".to_owned() + &"// x\n".repeat(LINES_MAX);
        assert_eq!(check_file(PLACE, &format!("//! Short.\n{tests}")), []);
    }

    #[test]
    fn nothing_is_left_unfinished() {
        for word in UNFINISHED {
            assert_one(PLACE, &format!("//! Header.\nlet x = {word});\n"), "line 2");
        }
    }

    #[test]
    fn lines_are_clean_at_both_ends() {
        assert_one(PLACE, "//! Header.\n\tlet x;\n", "tab");
        assert_one(PLACE, "//! Header.\nlet x; \n", "trailing");
    }

    #[test]
    fn only_the_store_speaks_sql() {
        let text = "//! Header.\nuse diesel::prelude::*;\n";
        assert_one("crates/api/src/lib.rs", text, "crates/store");
        assert_eq!(check_file("crates/store/src/lib.rs", text), []);
        assert_eq!(check_file("crates/testkit/src/lib.rs", text), []);
        assert_eq!(check_file("tools/bench/src/main.rs", text), []);
        assert_eq!(check_file("crates/api/src/lib.rs", "//! Not diesel::Table.\n"), []);
    }
}
