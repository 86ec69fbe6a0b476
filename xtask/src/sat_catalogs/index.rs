//! The inverted index of product search: which products have which word.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};

use super::fold::{fold, words};

/// Words between two whose places are kept.
const BLOCK: usize = 16;

/// What a product is found by.
pub(super) struct Words<'a> {
    pub(super) name: &'a str,
    pub(super) similar: &'a str,
}

/// The products that have a word, by rank.
#[derive(Default)]
struct Places {
    in_name: Vec<u16>,
    in_similar_only: Vec<u16>,
}

/// The index of these products, whose ranks are their places in the sequence.
pub(super) fn build<'a>(products: impl Iterator<Item = Words<'a>>) -> Result<Vec<u8>> {
    let mut vocabulary: BTreeMap<String, Places> = BTreeMap::new();
    for (rank, product) in products.enumerate() {
        let rank = u16::try_from(rank).context("more products than 16 bits number")?;
        let (name, similar) = (fold(product.name), fold(product.similar));
        let name: BTreeSet<&str> = words(&name).collect();
        let similar: BTreeSet<&str> = words(&similar).collect();
        for word in &name {
            vocabulary.entry((*word).to_owned()).or_default().in_name.push(rank);
        }
        for word in similar.difference(&name) {
            vocabulary.entry((*word).to_owned()).or_default().in_similar_only.push(rank);
        }
    }
    write(&vocabulary)
}

fn write(vocabulary: &BTreeMap<String, Places>) -> Result<Vec<u8>> {
    let mut entries = Vec::new();
    let mut blocks = Vec::new();
    for (number, (word, places)) in vocabulary.iter().enumerate() {
        if number.is_multiple_of(BLOCK) {
            blocks.push(u32::try_from(entries.len())?);
        }
        let (name, similar) = (gaps(&places.in_name), gaps(&places.in_similar_only));
        entries.push(u8::try_from(word.len()).with_context(|| format!("too long: {word}"))?);
        entries.extend(word.bytes());
        for list in [&name, &similar] {
            let length =
                u16::try_from(list.len()).with_context(|| format!("too common: {word}"))?;
            entries.extend(length.to_le_bytes());
        }
        entries.extend(name);
        entries.extend(similar);
    }
    let mut index: Vec<u8> = u32::try_from(blocks.len())?.to_le_bytes().into();
    index.extend(blocks.into_iter().flat_map(u32::to_le_bytes));
    index.extend(entries);
    Ok(index)
}

/// Ascending numbers as the gaps between them, seven bits a byte, the lowest first; a set eighth bit says
/// that more follow.
fn gaps(numbers: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut last = 0;
    for number in numbers {
        let mut gap = number - last;
        while gap >= 0x80 {
            bytes.push((gap & 0x7f) as u8 | 0x80);
            gap >>= 7;
        }
        bytes.push(gap as u8);
        last = *number;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_gaps_take_one_byte() {
        assert_eq!(gaps(&[0, 1, 128, 428]), [0, 1, 127, 0b1010_1100, 0b10]);
    }

    #[test]
    fn a_word_of_the_name_is_not_told_again_as_similar() {
        let products = [
            Words { name: "Té", similar: "té, infusión" },
            Words { name: "Infusión", similar: "" },
        ];
        let index = build(products.into_iter()).unwrap();
        let mut expected = vec![1, 0, 0, 0, 0, 0, 0, 0];
        expected.extend(b"\x08infusion\x01\0\x01\0\x01\0");
        expected.extend(b"\x02te\x01\0\0\0\0");
        assert_eq!(index, expected);
    }
}
