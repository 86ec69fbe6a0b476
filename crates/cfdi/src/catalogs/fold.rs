//! Text as search compares it: words of small letters and digits, without accents.
//!
//! `cargo xtask sat-catalogs` compiles this file too, so that the index and the queries agree. It is another form than that of
//! `kernel::text`: signs stand between words, and units have letters that look like others.

/// `text` with every letter small and plain, and one space for whatever is neither letter nor digit.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars().filter(|letter| !is_accent(*letter)) {
        if letter.is_ascii_alphanumeric() {
            folded.push(letter.to_ascii_lowercase());
        } else if letter.is_alphanumeric() {
            folded.extend(letter.to_lowercase().map(plain));
        } else if !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    folded
}

/// The words of what [`fold`] gave.
pub(crate) fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(' ').filter(|word| !word.is_empty())
}

/// An accent that follows its letter, as some keyboards and file systems write them.
fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

fn plain(letter: char) -> char {
    match letter {
        'á' | 'à' | 'ä' | 'â' | 'ã' | 'å' => 'a',
        'é' | 'è' | 'ë' | 'ê' => 'e',
        'í' | 'ì' | 'ï' | 'î' => 'i',
        'ó' | 'ò' | 'ö' | 'ô' | 'õ' => 'o',
        'ú' | 'ù' | 'ü' | 'û' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        'µ' | 'μ' => 'u',
        '²' => '2',
        '³' => '3',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_case_and_signs_do_not_matter() {
        for (text, folded) in [
            ("Camarón (congelado)", "camaron congelado "),
            ("CAMIO\u{301}N", "camion"),
            ("Niño/niña -- PINGÜINO", "nino nina pinguino"),
            ("µg/m²", "ug m2"),
            ("", ""),
            (" ", " "),
        ] {
            assert_eq!(fold(text), folded);
        }
        let folded = fold("  Té, de 4 ");
        assert_eq!(words(&folded).collect::<Vec<_>>(), ["te", "de", "4"]);
    }
}
