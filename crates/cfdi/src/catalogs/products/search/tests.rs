use std::collections::BTreeSet;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::catalogs::products::all;

/// The words of a product, by whether they are of its name.
struct Words {
    product: Product,
    name: BTreeSet<String>,
    similar: BTreeSet<String>,
}

static ALL: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let set = |text: &str| words(&fold(text)).map(str::to_owned).collect();
    let read = |product: Product| Words {
        product,
        name: set(product.name),
        similar: set(product.similar_words),
    };
    all().map(read).collect()
});

/// The same search without an index.
fn scan(query: &str) -> Vec<Product> {
    let folded = fold(query);
    let mut found: Vec<_> = ALL
        .iter()
        .filter_map(|row| {
            let matches = |fits: fn(&str, &str) -> bool, with_similar: bool| {
                words(&folded).all(|word| {
                    row.name.iter().any(|own| fits(own, word))
                        || (with_similar && row.similar.iter().any(|own| fits(own, word)))
                })
            };
            let whole = |own: &str, word: &str| own == word;
            let begun = |own: &str, word: &str| own.starts_with(word);
            let group = if matches(whole, false) {
                0
            } else if matches(begun, false) {
                1
            } else if matches(whole, true) {
                2
            } else if matches(begun, true) {
                3
            } else {
                return None;
            };
            let product = row.product;
            Some(((group, product.name.chars().count(), product.code), product))
        })
        .collect();
    found.sort_by_key(|(key, _)| *key);
    found.into_iter().map(|(_, product)| product).collect()
}

#[track_caller]
fn check(query: &str) -> usize {
    let expected = scan(query);
    let found = search(query, 0, usize::MAX);
    assert_eq!(found.total, expected.len(), "{query}");
    assert!(found.items == expected, "{query}");
    found.total
}

#[test]
fn the_index_finds_what_a_scan_finds_in_the_same_order() {
    for query in [
        "camisa",
        "a",
        "de",
        "o",
        "café instan",
        "CAFE",
        "cable acero",
        "lap",
        "servicio de c",
        "té",
        "niño",
        "mesa de",
        "poliamida 4",
        "covid 19",
        "vacuna sars",
        "público general",
        "z",
    ] {
        assert!(check(query) > 0, "{query}");
    }
    for query in ["qwertz", "camisa qwertz", "camisademanga"] {
        assert_eq!(check(query), 0, "{query}");
    }
}

#[test]
fn accents_case_and_order_do_not_matter() {
    let found = search("café instantáneo", 0, 50);
    assert_eq!(found.items[0].code, "50201709");
    for query in
        ["CAFE INSTANTANEO", "instantáneo, café", "  cafe\u{301}   instantaneo instantaneo"]
    {
        assert_eq!(search(query, 0, 50), found, "{query}");
    }
}

#[test]
fn whole_words_of_names_come_first() {
    let names = |query| search(query, 0, 4).items.into_iter().map(|p| p.name).collect::<Vec<_>>();
    assert_eq!(names("perros")[0], "Perros");
    assert_eq!(names("camisa")[0], "Camisas para niño");
    assert_eq!(names("café")[..2], ["Café", "Café y té"]);
    // Only similar words say so.
    let found = search("outsourcing", 0, 10);
    assert!(found.items.iter().any(|product| product.code == "80111701"));
}

#[test]
fn digits_are_the_beginning_of_a_code() {
    let found = search("432115", 0, 3);
    let codes: Vec<_> = found.items.iter().map(|product| product.code).collect();
    assert_eq!(codes, ["43211500", "43211501", "43211502"]);
    assert_eq!(found.total, all().filter(|product| product.code.starts_with("432115")).count());
    for (query, total) in
        [("01010101", 1), (" 01010101 ", 1), ("010101011", 0), ("99", 0), ("", 52_514)]
    {
        assert_eq!(search(query, 0, 1).total, total, "{query}");
    }
    assert_eq!(search("9", 0, 1).items[0].code, "90101500");
    assert_eq!(search("", 52_513, 9).items[0].code, "95141904");
}

#[test]
fn pages_follow_each_other() {
    for query in ["servicio", "43"] {
        let whole = search(query, 0, usize::MAX);
        let mut offset = 0;
        let mut items = Vec::new();
        while offset < whole.total {
            let page = search(query, offset, 97);
            assert_eq!(page.total, whole.total);
            items.extend(page.items);
            offset += 97;
        }
        assert!(items == whole.items);
        assert!(search(query, whole.total, 9).items.is_empty());
        assert!(search(query, 0, 0).items.is_empty());
    }
}

#[test]
fn a_query_without_words_or_with_too_many_finds_nothing() {
    assert_eq!(search("¿?", 0, 9).total, 0);
    let many: String = ('a'..='z').flat_map(|a| [format!("{a} "), format!("{a}{a} ")]).collect();
    assert_eq!(search(&many, 0, 9).total, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Beginnings of words of one product find that product, and all that a scan finds.
    #[test]
    fn beginnings_of_words_find_their_product(
        number in 0..ALL.len(),
        picks in prop::collection::vec((any::<prop::sample::Index>(), 1..9_usize), 1..4),
    ) {
        let row = &ALL[number];
        let own: Vec<&String> = row.name.iter().chain(&row.similar).collect();
        let begin = |(pick, letters): &(prop::sample::Index, usize)| {
            pick.get(&own).chars().take(*letters).collect::<String>()
        };
        let query = picks.iter().map(begin).collect::<Vec<_>>().join(" ") + " ";
        prop_assume!(!query.trim().bytes().all(|byte| byte.is_ascii_digit()));
        let found = search(&query, 0, usize::MAX);
        prop_assert!(found.items.contains(&row.product));
        prop_assert!(found.items == scan(&query));
    }
}
