//! Prints the OpenAPI document under default settings: `cargo xtask openapi` keeps it in `docs/openapi.json`.

#![allow(clippy::print_stdout, reason = "an example talks to its terminal")]

fn main() {
    println!("{}", api::openapi_document(&api::Settings::default()));
}
