//! What the command line asks for.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// How many documents are made, and how they are judged.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) documents: u64,
    pub(super) seed: u64,
    /// SAT's files of another source: the folder that holds `www.sat.gob.mx`.
    pub(super) schemas: Option<PathBuf>,
    /// Whether every document is broken on purpose, instead of a few of each kind.
    pub(super) spoil: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { documents: 1_000, seed: 1, schemas: None, spoil: false }
    }
}

impl Options {
    pub(super) fn parse(args: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(name) = args.next() {
            let mut value = || args.next().with_context(|| format!("{name} needs a value"));
            match name.as_str() {
                "--documents" => options.documents = number(value()?)?,
                "--seed" => options.seed = number(value()?)?,
                "--schemas" => options.schemas = Some(folder(value()?)?),
                "--spoil" => options.spoil = true,
                _ => bail!(
                    "`{name}` is unknown: give --documents N, --seed N, --schemas FOLDER or --spoil"
                ),
            }
        }
        Ok(options)
    }
}

fn number(text: &str) -> Result<u64> {
    text.parse().with_context(|| format!("`{text}` is no number"))
}

fn folder(text: &str) -> Result<PathBuf> {
    let path = Path::new(text).canonicalize();
    path.with_context(|| format!("cannot find the folder `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options> {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&args)
    }

    #[test]
    fn every_option_is_read() {
        assert_eq!(parse("").unwrap(), Options::default());
        let options = parse("--documents 20 --spoil --seed 7 --schemas .").unwrap();
        assert_eq!((options.documents, options.seed, options.spoil), (20, 7, true));
        assert!(options.schemas.unwrap().is_absolute());
    }

    #[test]
    fn a_slip_is_told() {
        for (line, words) in [
            ("--document 3", "--documents N"),
            ("--seed", "needs a value"),
            ("--documents many", "no number"),
            ("--schemas /nowhere/at/all", "cannot find"),
        ] {
            let error = format!("{:#}", parse(line).unwrap_err());
            assert!(error.contains(words), "{error}");
        }
    }
}
