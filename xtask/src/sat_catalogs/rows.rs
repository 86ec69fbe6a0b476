//! The rows that the reader prints.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow, bail, ensure};

/// Catalogs by name; rows in the order of their fields.
pub(super) struct Catalogs(BTreeMap<String, Vec<Vec<String>>>);

impl Catalogs {
    /// Reads lines of a catalog's name and a row's fields between tabs.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut catalogs: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
        for line in text.lines() {
            let mut fields = line.split('\t').map(str::to_owned);
            let catalog = fields.next().context("a row without a catalog")?;
            catalogs.entry(catalog).or_default().push(fields.collect());
        }
        catalogs.values_mut().for_each(|rows| rows.sort());
        Ok(Self(catalogs))
    }

    /// The rows of a catalog, each of as many fields as asked for, in the order of the first ones.
    pub(super) fn rows<const FIELDS: usize>(&self, catalog: &str) -> Result<Vec<[&str; FIELDS]>> {
        let rows = self.0.get(catalog).with_context(|| format!("the packages lack {catalog}"))?;
        rows.iter().map(|row| fields(row).with_context(|| format!("a row of {catalog}"))).collect()
    }
}

fn fields<const FIELDS: usize>(row: &[String]) -> Result<[&str; FIELDS]> {
    let fields: Vec<&str> = row.iter().map(String::as_str).collect();
    fields.try_into().map_err(|row| anyhow!("{row:?} has not {FIELDS} fields"))
}

/// `DD-MM-YYYY` as `YYYY-MM-DD`.
pub(super) fn iso_date(text: &str) -> Result<String> {
    let parts: Vec<&str> = text.split('-').collect();
    let [day, month, year] = parts.as_slice() else { bail!("unexpected date {text}") };
    ensure!(day.len() == 2 && month.len() == 2 && year.len() == 4, "unexpected date {text}");
    Ok(format!("{year}-{month}-{day}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_order_and_of_the_length_asked_for() {
        let catalogs = Catalogs::parse("c_Pais\tMEX\tMéxico\nc_Pais\tCAN\tCanadá\n").unwrap();
        let rows = catalogs.rows::<2>("c_Pais").unwrap();
        assert_eq!(rows, [["CAN", "Canadá"], ["MEX", "México"]]);
        assert!(catalogs.rows::<3>("c_Pais").is_err());
        assert!(catalogs.rows::<2>("c_Moneda").is_err());
    }

    #[test]
    fn dates_are_turned_round() {
        assert_eq!(iso_date("29-12-2020").unwrap(), "2020-12-29");
        assert!(iso_date("2020-12-29").is_err());
        assert!(iso_date("").is_err());
    }
}
