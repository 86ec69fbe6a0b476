//! Product keys: their text, and what finds them.

use anyhow::{Context, Result, ensure};

use super::File;
use super::index::{self, Words};
use super::rows::{Catalogs, iso_date};

/// Lines between two whose places are kept.
const BLOCK: usize = 16;
/// Since when nearly all keys are valid; only others are written.
const COMMON_START: &str = "2019-01-07";

struct Product<'a> {
    code: &'a str,
    name: &'a str,
    similar: &'a str,
    marks: Vec<String>,
}

pub(super) fn files(catalogs: &Catalogs) -> Result<Vec<File>> {
    let rows = catalogs.rows::<8>("c_ClaveProdServ")?;
    let products = rows.into_iter().map(product).collect::<Result<Vec<_>>>()?;
    let (text, blocks) = text(&products)?;
    let ranks = ranks(&products)?;
    let words = ranks.iter().filter_map(|number| products.get(usize::from(*number)));
    let words = words.map(|product| Words { name: product.name, similar: product.similar });
    Ok(vec![
        ("products.tsv", text.into_bytes()),
        ("product_blocks.bin", blocks.into_iter().flat_map(u32::to_le_bytes).collect()),
        ("product_ranks.bin", ranks.iter().copied().flat_map(u16::to_le_bytes).collect()),
        ("product_words.bin", index::build(words)?),
    ])
}

fn product<'a>(row: [&'a str; 8]) -> Result<Product<'a>> {
    let [code, name, similar, iva, ieps, border, from, until] = row;
    ensure!(code.len() == 8 && code.bytes().all(|b| b.is_ascii_digit()), "product key {code}");
    let mut marks = Vec::new();
    for (mark, flag) in [("iva", iva == "1"), ("ieps", ieps == "1"), ("no-border", border == "00")]
    {
        if flag {
            marks.push(mark.to_owned());
        }
    }
    if iso_date(from)? != COMMON_START {
        marks.push(format!("from={}", iso_date(from)?));
    }
    if !until.is_empty() {
        marks.push(format!("until={}", iso_date(until)?));
    }
    Ok(Product { code, name, similar, marks })
}

/// One line a product, and where every [`BLOCK`]th begins.
fn text(products: &[Product]) -> Result<(String, Vec<u32>)> {
    let mut text = String::new();
    let mut blocks = Vec::new();
    for block in products.chunks(BLOCK) {
        blocks.push(u32::try_from(text.len())?);
        for Product { code, name, similar, marks } in block {
            let line = format!("{code}\t{name}\t{similar}\t{}", marks.join(" "));
            text += line.trim_end();
            text.push('\n');
        }
    }
    Ok((text, blocks))
}

/// The products' numbers in the order in which search shows equals: shorter names first, then by code.
fn ranks(products: &[Product]) -> Result<Vec<u16>> {
    let mut order: Vec<_> = products.iter().zip(0_u32..).collect();
    order.sort_by_key(|(product, _)| (product.name.chars().count(), product.code));
    let number = |(_, number)| u16::try_from(number).context("more products than 16 bits number");
    order.into_iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_only_what_is_uncommon() {
        let common = ["10101502", "Perros", "", "0", "0", "01", "07-01-2019", ""];
        let rare =
            ["80111700", "Reclutamiento", "Agencia", "1", "0", "00", "16-01-2020", "01-02-2030"];
        let products = [product(common).unwrap(), product(rare).unwrap()];
        let (text, blocks) = text(&products).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "10101502\tPerros");
        let marks = "iva no-border from=2020-01-16 until=2030-02-01";
        assert_eq!(lines[1], format!("80111700\tReclutamiento\tAgencia\t{marks}"));
        assert_eq!(blocks, [0]);
        assert_eq!(ranks(&products).unwrap(), [0, 1]);
    }
}
