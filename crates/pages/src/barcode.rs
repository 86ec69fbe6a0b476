//! Barcodes that a till reads: Code 128 (ISO/IEC 15417), drawn as SVG.

use barcoders::sym::code128::Code128;

/// Modules of blank space on each side, as the standard wants.
const QUIET: usize = 10;
/// The height in modules.
const HEIGHT: usize = 50;

/// A barcode as rectangles.
pub(crate) struct Barcode {
    /// What it says.
    pub(crate) text: String,
    /// Each bar: where it begins and how wide it is, in modules.
    pub(crate) bars: Vec<(usize, usize)>,
    /// The whole width, with the blank space.
    pub(crate) width: usize,
    /// The height.
    pub(crate) height: usize,
}

impl Barcode {
    /// The barcode of a text; `None` where it has characters that tills do not read.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let modules = Code128::new(symbols(text)?).ok()?.encode();
        let mut bars: Vec<(usize, usize)> = Vec::new();
        let mut is_dark = false;
        for (place, module) in modules.iter().enumerate() {
            let was_dark = std::mem::replace(&mut is_dark, *module == 1);
            match bars.last_mut().filter(|_| is_dark && was_dark) {
                Some((_, width)) => *width += 1,
                None if is_dark => bars.push((place + QUIET, 1)),
                None => {}
            }
        }
        let width = modules.len() + 2 * QUIET;
        Some(Self { text: text.to_owned(), bars, width, height: HEIGHT })
    }
}

/// The text with the code sets that it is written in: digits by pairs in C, and what is left in B.
fn symbols(text: &str) -> Option<String> {
    const B: char = 'Ɓ';
    const C: char = 'Ć';
    let is_readable =
        !text.is_empty() && text.len() <= 48 && text.bytes().all(|b| (b' '..=b'~').contains(&b));
    if !is_readable {
        return None;
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let pairs = digits / 2 * 2;
    let (even, rest) = text.split_at_checked(pairs)?;
    Some(match (pairs >= 4, rest.is_empty()) {
        (true, true) => format!("{C}{even}"),
        (true, false) => format!("{C}{even}{B}{rest}"),
        (false, _) => format!("{B}{text}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader of another hand makes of the bars.
    fn read(barcode: &Barcode) -> String {
        let mut row = vec![false; barcode.width];
        for (start, width) in &barcode.bars {
            row[*start..start + width].fill(true);
        }
        let lengths = row.chunk_by(|a, b| a == b).map(|run| u8::try_from(run.len()).unwrap());
        // Without the blank space on both sides.
        let runs: Vec<u8> = lengths.collect();
        let inner = &runs[1..runs.len() - 1];
        let bar = |pair: &[u8]| code128::Bar {
            width: pair[0],
            space: pair.get(1).copied().unwrap_or_default(),
        };
        let bars: Vec<code128::Bar> = inner.chunks(2).map(bar).collect();
        code128::decode_str(&bars).unwrap()
    }

    #[test]
    fn another_reader_reads_what_was_written() {
        for text in
            ["12345678901234", "123456789012345", "93000001234567890123456789", "REF-0042", "7"]
        {
            assert_eq!(read(&Barcode::of(text).unwrap()), text);
        }
        for unreadable in ["", "ñ", "a\nb"] {
            assert!(Barcode::of(unreadable).is_none(), "{unreadable:?}");
        }
    }
}
