//! Measures product search beside a scan of all keys: `cargo run --release -p cfdi --example search_speed`.

#![allow(clippy::print_stdout, reason = "it tells what it measured")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cfdi::catalogs::{products, units};

const QUERIES: &[&str] = &[
    "camisa",
    "playera",
    "a",
    "c",
    "de",
    "servicio",
    "servicios de consultoría",
    "cable de acero inoxidable",
    "organico seco",
    "teléfono móvil",
    "outsourcing",
    "qwertz",
    "4",
    "43211503",
    "",
];
const PAGE: usize = 20;
const SPAN: Duration = Duration::from_millis(200);

fn main() {
    // The scan gets its text ready to compare, which the index does not need.
    let texts: Vec<String> = products::all()
        .map(|product| plain(product.name) + " " + &plain(product.similar_words))
        .collect();
    println!("{:<28}{:>8}{:>12}{:>12}{:>8}", "query", "found", "search µs", "scan µs", "ratio");
    for query in QUERIES {
        let total = products::search(query, 0, PAGE).total;
        let search = mean(|| products::search(black_box(query), 0, PAGE).total);
        let scan = mean(|| scan(&texts, black_box(query)));
        let ratio = scan / search;
        println!("{query:<28}{total:>8}{search:>12.1}{scan:>12.1}{ratio:>8.0}");
    }
    println!("units, `metro`: {:.1} µs", mean(|| units::search(black_box("metro"), 0, PAGE).total));
    let find = mean(|| usize::from(products::find(black_box("43211503")).is_some()));
    println!("find, `43211503`: {find:.2} µs");
}

fn scan(texts: &[String], query: &str) -> usize {
    let query = plain(query);
    let begun = |text: &str, word: &str| text.split(' ').any(|other| other.starts_with(word));
    texts.iter().filter(|text| query.split_whitespace().all(|word| begun(text, word))).count()
}

fn plain(text: &str) -> String {
    let letter = |letter: char| match letter {
        'á' => 'a',
        'é' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' | 'ü' => 'u',
        'ñ' => 'n',
        other => other,
    };
    text.to_lowercase().chars().map(letter).collect()
}

/// Microseconds that one call takes on average.
fn mean(mut call: impl FnMut() -> usize) -> f64 {
    let start = Instant::now();
    let mut calls = 0_u32;
    while start.elapsed() < SPAN {
        black_box(call());
        calls += 1;
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
}
