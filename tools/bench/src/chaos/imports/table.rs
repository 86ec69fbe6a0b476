//! The tables that are imported, one after the other: half of the products of each are those of the one before.

use std::fmt::Write;

/// Of so many rows one is refused.
const REFUSED_EVERY: u64 = 1_000;
const STOCKS: u64 = 50;

/// The table of a cycle, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) cycle: u64,
    pub(super) rows: u64,
}

/// What must have become of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) created: u64,
    pub(super) updated: u64,
    pub(super) failed: u64,
    /// What all products of all tables so far have in stock.
    pub(super) stock: u64,
}

impl Table {
    const fn half(self) -> u64 {
        self.rows / 2
    }

    const fn first(self) -> u64 {
        (self.cycle - 1) * self.half()
    }

    const fn is_refused(number: u64) -> bool {
        number % REFUSED_EVERY == REFUSED_EVERY - 1
    }

    /// Differs from one cycle to the next.
    const fn stock(number: u64, cycle: u64) -> u64 {
        1 + (number * 7 + cycle * 3) % STOCKS
    }

    /// The table as a file.
    pub(super) fn text(self) -> String {
        let mut text = "clave,artículo,precio,existencia\n".to_owned();
        for number in self.first()..self.first() + self.rows {
            let (pesos, stock) = (10 + number % 90, Self::stock(number, self.cycle));
            // Writing to a string cannot fail.
            let _ = match Self::is_refused(number) {
                true => writeln!(text, "IMP-{number},Producto {number},gratis,{stock}"),
                false => writeln!(
                    text,
                    "IMP-{number},Producto {number},{pesos}.{:02},{stock}",
                    self.cycle % 100
                ),
            };
        }
        text
    }

    /// What must have become of its rows.
    pub(super) fn expected(self) -> Expected {
        let mut expected = Expected::default();
        for number in self.first()..self.first() + self.rows {
            let is_known = self.cycle > 1 && number < self.first() + self.half();
            match (Self::is_refused(number), is_known) {
                (true, _) => expected.failed += 1,
                (false, true) => expected.updated += 1,
                (false, false) => expected.created += 1,
            }
        }
        // A product's stock is what the last table said that it was in.
        for number in (0..self.first() + self.rows).filter(|number| !Self::is_refused(*number)) {
            let last = (number / self.half().max(1) + 1).min(self.cycle);
            expected.stock += Self::stock(number, last);
        }
        expected
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn what_is_expected_is_what_the_tables_say() {
        let mut stock: HashMap<String, u64> = HashMap::new();
        for cycle in 1..5 {
            let table = Table { cycle, rows: 2_000 };
            let (mut created, mut updated, mut failed) = (0, 0, 0);
            let text = table.text();
            assert_eq!(text.lines().count(), 2_001);
            for line in text.lines().skip(1) {
                let cells: Vec<&str> = line.split(',').collect();
                let counted: u64 = cells[3].parse().unwrap();
                if cells[2] == "gratis" {
                    failed += 1;
                    continue;
                }
                match stock.insert(cells[0].to_owned(), counted) {
                    None => created += 1,
                    Some(before) => {
                        assert_ne!(before, counted, "a row that changes nothing");
                        updated += 1;
                    }
                }
            }
            let stock = stock.values().sum();
            assert_eq!(table.expected(), Expected { created, updated, failed, stock });
        }
    }
}
