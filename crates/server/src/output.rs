//! What the program says to people and scripts.

use std::io::{self, Write};

/// Prints a line to standard output. A reader that has gone (`| head`) is no fault.
pub(crate) fn say(line: impl AsRef<str>) {
    write_line(&mut io::stdout().lock(), line.as_ref());
}

/// Prints a line to standard error, where it disturbs no script that reads standard output.
pub(crate) fn note(line: impl AsRef<str>) {
    write_line(&mut io::stderr().lock(), line.as_ref());
}

fn write_line(out: &mut impl Write, line: &str) {
    drop(writeln!(out, "{line}").and_then(|()| out.flush()));
}

/// Prints rows in aligned columns below their headings.
pub(crate) fn table<const COLUMNS: usize>(headings: [&str; COLUMNS], rows: &[[String; COLUMNS]]) {
    for line in aligned(headings, rows) {
        say(line);
    }
}

fn aligned<const COLUMNS: usize>(
    headings: [&str; COLUMNS],
    rows: &[[String; COLUMNS]],
) -> Vec<String> {
    let headings = headings.map(str::to_owned);
    let lines: Vec<&[String; COLUMNS]> = std::iter::once(&headings).chain(rows).collect();
    let mut widths = [0; COLUMNS];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line.iter()) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let padded = |line: &&[String; COLUMNS]| {
        let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(padded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align() {
        let rows = [["Café".to_owned(), "1".to_owned()], ["Té".to_owned(), "20".to_owned()]];
        assert_eq!(aligned(["NAME", "N"], &rows), ["NAME  N", "Café  1", "Té    20"]);
    }
}
