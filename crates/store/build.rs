//! Rebuilds when a migration is added or changed: `embed_migrations!` does not watch its folder.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
