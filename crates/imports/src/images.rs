//! Addresses of images in a cell.

use catalog::details::{IMAGES_MAX, checked_image};

use crate::Code;

/// Marks that people write between two addresses. A blank may follow; none is part of an address.
const BETWEEN: [char; 3] = [',', ';', '|'];

/// Addresses of a cell that are told to be too many.
const LEFT_OUT_MAX: usize = 10;

/// What addresses begin with.
const SCHEMES: [&str; 2] = ["http://", "https://"];

/// The addresses in a cell, each once: those that a product has room for, and the first of the others.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn images(text: &str) -> Result<(Vec<String>, Vec<String>), Code> {
    let (mut images, mut left_out): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let words: Vec<&str> = text.split_whitespace().collect();
    for (place, word) in words.iter().enumerate() {
        let is_last = place + 1 == words.len();
        let word = if is_last { word } else { word.strip_suffix(BETWEEN).unwrap_or(word) };
        for url in adjacent(word).into_iter().filter(|url| !url.is_empty()) {
            let url = checked_image(url).map_err(|_| Code::BadUrl)?;
            if images.contains(&url) {
                continue;
            }
            if images.len() < IMAGES_MAX {
                images.push(url);
            } else if left_out.len() < LEFT_OUT_MAX && !left_out.contains(&url) {
                left_out.push(url);
            }
        }
    }
    Ok((images, left_out))
}

/// Addresses as a cell of a table has them: what would begin a second one within an address is spelt otherwise.
pub(crate) fn written(images: &[String]) -> String {
    let one = |url: &String| {
        let marked = BETWEEN.iter().flat_map(|mark| SCHEMES.map(|scheme| (mark, scheme)));
        marked.fold(url.clone(), |url, (mark, scheme)| {
            let coded = format!("%{:02X}{scheme}", u32::from(*mark));
            url.replace(&format!("{mark}{scheme}"), &coded)
        })
    };
    images.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Addresses with a mark and no blank between them.
fn adjacent(word: &str) -> Vec<&str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, mark) in word.match_indices(BETWEEN) {
        let behind = at + mark.len();
        let rest = word.get(behind..).unwrap_or_default();
        if SCHEMES.iter().any(|scheme| rest.starts_with(scheme)) {
            parts.extend(word.get(from..at));
            from = behind;
        }
    }
    parts.extend(word.get(from..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_stand_beside_each_other() {
        let (one, two) = ("https://a.mx/1,w.jpg", "http://b.mx/2.jpg");
        for between in [", ", ",", " | ", "\n", ";", " "] {
            let found = images(&format!("{one}{between}{two}")).unwrap().0;
            assert_eq!(found, [one, two], "{between:?}");
        }
        assert_eq!(images(&format!("{one} {one}")).unwrap().0, [one]);
        assert!(images("  ").unwrap().0.is_empty());
        assert_eq!(images("taza.jpg"), Err(Code::BadUrl));
        let many: Vec<String> = (0..=IMAGES_MAX).map(|n| format!("https://a.mx/{n}")).collect();
        let (kept, left_out) = images(&many.join(" ")).unwrap();
        assert_eq!((kept.as_slice(), left_out.as_slice()), many.split_at(IMAGES_MAX));
        assert_eq!(images(&written(&many[1..])).unwrap(), (many[1..].to_vec(), Vec::new()));
    }

    #[test]
    fn an_address_may_end_with_a_mark() {
        let odd = ["https://a.mx/1,".to_owned(), "https://a.mx/2;".to_owned()];
        assert_eq!(images(&written(&odd)).unwrap().0, odd);
    }
}
