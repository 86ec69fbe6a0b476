//! Postal codes: the distinct places, and which of them each code is in.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use super::File;
use super::rows::Catalogs;

/// How many codes five digits can write.
const CODES: usize = 100_000;
/// Stands for a code that is not in the catalog.
const NO_PLACE: u16 = u16::MAX;

pub(super) fn files(catalogs: &Catalogs) -> Result<Vec<File>> {
    let mut lines = Vec::with_capacity(CODES);
    for [code, state, municipality, locality, border, zone] in catalogs.rows("c_CodigoPostal")? {
        let zone = zone_letter(zone)?;
        let line = format!("{state:3}{municipality:3}{locality:2}{border:1}{zone}\n");
        ensure!(line.len() == 11, "the place of {code} is longer than the columns: {line}");
        let code: usize = code.parse().with_context(|| format!("unexpected postal code {code}"))?;
        lines.push((code, line));
    }
    let mut places: BTreeMap<&str, u16> = lines.iter().map(|(_, line)| (&**line, 0)).collect();
    for (number, place) in (0..).zip(places.values_mut()) {
        *place = number;
    }
    ensure!(places.len() < usize::from(NO_PLACE), "more places than a code can point at");
    let mut codes = vec![NO_PLACE; CODES];
    for (code, line) in &lines {
        let slot =
            codes.get_mut(*code).with_context(|| format!("unexpected postal code {code}"))?;
        *slot = places.get(&**line).copied().unwrap_or(NO_PLACE);
    }
    let text: String = places.into_keys().collect();
    Ok(vec![
        ("postal_places.txt", text.into_bytes()),
        ("postal_codes.bin", codes.into_iter().flat_map(u16::to_le_bytes).collect()),
    ])
}

fn zone_letter(description: &str) -> Result<char> {
    Ok(match description {
        "Tiempo del Centro" => 'C',
        "Tiempo del Centro en Frontera" => 'F',
        "Tiempo del Pacífico" => 'P',
        "Tiempo del Noroeste" => 'N',
        "Tiempo del Sureste" => 'S',
        other => anyhow::bail!("unknown time zone {other}: teach cfdi::catalogs::zones its rules"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_point_at_places() {
        let text = "c_CodigoPostal\t00002\tBCN\t004\t\t1\tTiempo del Noroeste\n\
                    c_CodigoPostal\t00000\tAGU\t\t\t0\tTiempo del Centro\n";
        let files = files(&Catalogs::parse(text).unwrap()).unwrap();
        assert_eq!(files[0].1, b"AGU     0C\nBCN004  1N\n");
        assert_eq!(files[1].1[..8], [0, 0, 0xff, 0xff, 1, 0, 0xff, 0xff]);
        assert_eq!(files[1].1.len(), 2 * CODES);
        assert!(zone_letter("Tiempo de Marte").is_err());
    }
}
