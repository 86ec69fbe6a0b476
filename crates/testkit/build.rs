//! Names the schema that tests run on, so that what one run has kept is not taken for it by another.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::Path,
};

const MIGRATIONS: &str = "../../migrations";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed={MIGRATIONS}");
    let mut hasher = DefaultHasher::new();
    digest(Path::new(MIGRATIONS), &mut hasher)?;
    println!("cargo:rustc-env=MIGRATIONS_DIGEST={:016x}", hasher.finish());
    Ok(())
}

fn digest(folder: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    for path in paths {
        path.hash(hasher);
        if path.is_dir() {
            digest(&path, hasher)?;
        } else {
            fs::read(&path)?.hash(hasher);
        }
    }
    Ok(())
}
