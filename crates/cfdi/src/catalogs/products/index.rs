//! The words of the products and who has them, read where they lie in the binary.
//!
//! The index begins with how many blocks of words there are and where each begins. A word has its length,
//! its letters, the lengths of two lists and the lists: the ranks of the products that have the word in
//! their names, and of those that only have it in their similar words. xtask's `sat_catalogs::index`
//! writes it.

const DATA: &[u8] = include_bytes!("../../../data/product_words.bin");

/// A word and the products that have it.
pub(super) struct Entry {
    pub(super) word: &'static [u8],
    pub(super) in_name: Ranks,
    pub(super) in_similar_only: Ranks,
}

/// The words that begin with `start`, sorted; `start` itself is the first if it is a word.
pub(super) fn beginning_with(start: &str) -> impl Iterator<Item = Entry> {
    let (blocks, entries) = parts().unwrap_or_default();
    let first_word = |at: &[u8; 4]| entries_at(entries, *at).next().map(|entry| entry.word);
    let block = blocks.partition_point(|at| first_word(at).is_some_and(|w| w < start.as_bytes()));
    let at = blocks.get(block.saturating_sub(1)).copied().unwrap_or_default();
    entries_at(entries, at)
        .skip_while(move |entry| entry.word < start.as_bytes())
        .take_while(move |entry| entry.word.starts_with(start.as_bytes()))
}

fn parts() -> Option<(&'static [[u8; 4]], &'static [u8])> {
    let (count, rest) = DATA.split_first_chunk()?;
    let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
    let (blocks, entries) = rest.split_at_checked(count.checked_mul(4)?)?;
    Some((blocks.as_chunks().0, entries))
}

fn entries_at(entries: &'static [u8], at: [u8; 4]) -> impl Iterator<Item = Entry> {
    let at = usize::try_from(u32::from_le_bytes(at)).unwrap_or(usize::MAX);
    let mut rest = entries.get(at..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, tail) = rest.split_first()?;
        let (word, tail) = tail.split_at_checked(usize::from(*length))?;
        let (in_name, tail) = tail.split_first_chunk()?;
        let (in_similar_only, tail) = tail.split_first_chunk()?;
        let (in_name, tail) = tail.split_at_checked(u16::from_le_bytes(*in_name).into())?;
        let (in_similar_only, tail) =
            tail.split_at_checked(u16::from_le_bytes(*in_similar_only).into())?;
        rest = tail;
        Some(Entry { word, in_name: Ranks(in_name), in_similar_only: Ranks(in_similar_only) })
    })
}

/// Ascending ranks, written as the gaps between them: seven bits a byte, the lowest first; a set eighth
/// bit says that more follow.
#[derive(Clone, Copy)]
pub(super) struct Ranks(&'static [u8]);

impl Ranks {
    pub(super) fn for_each(self, mut use_rank: impl FnMut(u16)) {
        let (mut rank, mut gap, mut shift) = (0_u32, 0_u32, 0_u32);
        for byte in self.0 {
            gap |= u32::from(byte & 0x7f) << (shift & 31);
            shift += 7;
            if byte & 0x80 == 0 {
                rank += gap;
                use_rank(rank as u16);
                (gap, shift) = (0, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(start: &str) -> Vec<String> {
        let words = beginning_with(start).map(|entry| entry.word.to_vec());
        words.map(|word| String::from_utf8(word).unwrap()).collect()
    }

    #[test]
    fn words_are_sorted_and_found_by_their_beginning() {
        let all = words("");
        assert!(all.len() > 17_000 && all.is_sorted());
        for start in ["a", "camis", "camisa", "z", "zz", "0", "ñ", "qwertz"] {
            let expected = all.iter().filter(|word| word.starts_with(start));
            assert!(words(start).iter().eq(expected), "{start}");
        }
    }

    #[test]
    fn gaps_are_read_back() {
        let mut ranks = Vec::new();
        Ranks(&[0, 1, 127, 0b1010_1100, 0b10]).for_each(|rank| ranks.push(rank));
        assert_eq!(ranks, [0, 1, 128, 428]);
    }
}
