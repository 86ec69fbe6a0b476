//! The tables that are imported, one after the other, and what must have become of them. Products come by turns with
//! changes to their stock; half of the products of each table are those of the one before.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Of so many rows one is refused.
const REFUSED_EVERY: u64 = 1_000;
const STOCKS: u64 = 50;
const DELTAS: u64 = 3;

/// What a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Products, with what was counted of them.
    Products,
    /// How many more there are of the products of the table before.
    Deltas,
}

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
}

/// What all tables so far must have made.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    stock: BTreeMap<u64, u64>,
    /// Versions of all products.
    pub(super) versions: u64,
    /// Rows of the ledger.
    pub(super) movements: u64,
}

impl Table {
    pub(super) const fn kind(self) -> Kind {
        if self.cycle % 2 == 1 { Kind::Products } else { Kind::Deltas }
    }

    /// Where it is sent, and where its imports are.
    pub(super) const fn path(self) -> &'static str {
        match self.kind() {
            Kind::Products => "/api/v1/products/imports",
            Kind::Deltas => "/api/v1/stock/imports",
        }
    }

    fn numbers(self) -> std::ops::Range<u64> {
        let first = (self.cycle - 1) / 2 * (self.rows / 2);
        first..first + self.rows
    }

    const fn is_refused(number: u64) -> bool {
        number % REFUSED_EVERY == REFUSED_EVERY - 1
    }

    /// Differs from one cycle to the next.
    const fn stock(self, number: u64) -> u64 {
        1 + (number * 7 + self.cycle * 3) % STOCKS
    }

    const fn delta(self, number: u64) -> u64 {
        1 + (number + self.cycle) % DELTAS
    }

    /// The table as a file.
    pub(super) fn text(self) -> String {
        let mut text = match self.kind() {
            Kind::Products => "clave,artículo,precio,existencia\n".to_owned(),
            Kind::Deltas => "clave,ajuste\n".to_owned(),
        };
        for number in self.numbers() {
            // Writing to a string cannot fail. What is no product has no stock either.
            let _ = match self.kind() {
                Kind::Deltas => writeln!(text, "IMP-{number},{}", self.delta(number)),
                Kind::Products => {
                    let (pesos, cents) = (10 + number % 90, self.cycle % 100);
                    let price = match Self::is_refused(number) {
                        true => "gratis".to_owned(),
                        false => format!("{pesos}.{cents:02}"),
                    };
                    let stock = self.stock(number);
                    writeln!(text, "IMP-{number},Producto {number},{price},{stock}")
                }
            };
        }
        text
    }
}

impl Shelf {
    /// What must become of the rows of the next table.
    pub(super) fn take(&mut self, table: Table) -> Expected {
        let mut expected = Expected::default();
        for number in table.numbers() {
            if Table::is_refused(number) {
                expected.failed += 1;
                continue;
            }
            let before = self.stock.get(&number).copied();
            let after = match table.kind() {
                Kind::Products => table.stock(number),
                Kind::Deltas => before.unwrap_or_default() + table.delta(number),
            };
            match before {
                None => expected.created += 1,
                Some(_) => expected.updated += 1,
            }
            self.movements += u64::from(before != Some(after));
            self.versions += u64::from(table.kind() == Kind::Products);
            self.stock.insert(number, after);
        }
        expected
    }

    /// How many products there are.
    pub(super) fn products(&self) -> u64 {
        self.stock.len() as u64
    }

    /// What they have in stock.
    pub(super) fn stock(&self) -> u64 {
        self.stock.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn what_is_expected_is_what_the_tables_say() {
        let mut shelf = Shelf::default();
        let mut stock: HashMap<String, u64> = HashMap::new();
        for cycle in 1..=6 {
            let table = Table { cycle, rows: 2_000 };
            let mut said = Expected::default();
            let text = table.text();
            assert_eq!(text.lines().count(), 2_001);
            for line in text.lines().skip(1) {
                let cells: Vec<&str> = line.split(',').collect();
                let number: u64 = cells.last().unwrap().parse().unwrap();
                let before = stock.get(cells[0]).copied();
                let after = match (table.kind(), before) {
                    (Kind::Products, _) if cells[2] == "gratis" => None,
                    (Kind::Products, _) => Some(number),
                    (Kind::Deltas, before) => before.map(|before| before + number),
                };
                match (after, before) {
                    (None, _) => said.failed += 1,
                    (Some(_), None) => said.created += 1,
                    (Some(_), Some(_)) => said.updated += 1,
                }
                stock.extend(after.map(|after| (cells[0].to_owned(), after)));
            }
            assert_eq!(shelf.take(table), said);
            assert_eq!(shelf.stock(), stock.values().sum::<u64>());
            assert_eq!(shelf.products(), stock.len() as u64);
        }
        // Every product table changes each of its products.
        assert_eq!(shelf.versions, 3 * 1_998);
    }
}
