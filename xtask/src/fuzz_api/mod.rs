//! `cargo xtask fuzz-api`: requests that schemathesis makes from the OpenAPI document, right ones and wrong ones, to a
//! service of its own.
//!
//! An answer fails that the document does not have, that breaks its schema or that is a 5xx; so does a request that is
//! accepted or refused against the document. What a JSON Schema cannot state is listed in `hooks.py`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, program, root, run as run_command, target_dir};
use crate::postgres::{Cluster, Durability};
use crate::python;
use crate::service::Service;

const SCHEMATHESIS: &str = "schemathesis==4.32.5";

/// What is wanted.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    /// Requests made at random for each operation, beside those that go through every bound of the document.
    examples: u64,
    seed: u64,
    databases: Vec<&'static str>,
}

/// Fuzzes a service on each database.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let wanted = parse(args)?;
    let folder = target_dir()?.join("fuzz-api");
    let python = python::provide(&folder.join("python"), &[SCHEMATHESIS.to_owned()])?;
    run_command(cargo().args(["build", "-p", "trastienda"]))?;
    for database in &wanted.databases {
        println!("\nOn {database}, seed {}", wanted.seed);
        let cluster = match *database {
            "postgres" => Some(Cluster::start(Durability::None)?),
            _ => None,
        };
        let data = folder.join(database);
        if data.exists() {
            fs::remove_dir_all(&data).with_context(|| data.display().to_string())?;
        }
        let url = cluster.as_ref().map(Cluster::url);
        let options = url.as_ref().map_or(vec![], |url| vec!["--database-url", url]);
        let service = Service::start(&data, &options)?;
        let mut fuzz = program(&python.to_string_lossy());
        fuzz.args(["-B", "-m", "schemathesis.cli", "--config-file"])
            .arg(folder_of_sources().join("schemathesis.toml"))
            .arg("run")
            .arg(format!("{}/openapi.json", service.base_url))
            .args(["--header", &format!("Authorization: Bearer {}", service.api_key)])
            // Our own check takes the place of the one that is left out.
            .args(["--checks", "all", "--exclude-checks", "positive_data_acceptance"])
            .args(["--max-examples", &wanted.examples.to_string()])
            .args(["--seed", &wanted.seed.to_string(), "--continue-on-failure", "--no-color"])
            .args(["--warnings", "off"])
            // It keeps what it found in the folder that it runs in.
            .current_dir(&folder)
            .env("FUZZ_API_URL", &service.base_url)
            .env("FUZZ_API_KEY", &service.api_key)
            .env("SCHEMATHESIS_HOOKS", folder_of_sources().join("hooks.py"));
        let outcome = run_command(&mut fuzz);
        service.stop()?;
        outcome.with_context(|| format!("the service's log is in {}", data.display()))?;
    }
    Ok(())
}

fn folder_of_sources() -> PathBuf {
    root().join("xtask/src/fuzz_api")
}

fn parse(args: &[String]) -> Result<Wanted> {
    let mut wanted = Wanted { examples: 20, seed: 1, databases: vec!["sqlite", "postgres"] };
    let mut args = args.iter();
    while let Some(name) = args.next() {
        let value = args.next().with_context(|| format!("{name} needs a value"))?;
        let number = || value.parse().with_context(|| format!("`{value}` is no number"));
        match name.as_str() {
            "--examples" => wanted.examples = number()?,
            "--seed" => wanted.seed = number()?,
            "--db" => wanted.databases.retain(|known| known == value),
            _ => bail!("`{name}` is unknown: give --examples N, --seed N or --db sqlite|postgres"),
        }
    }
    if wanted.databases.is_empty() {
        bail!("--db is sqlite or postgres");
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Wanted> {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&args)
    }

    #[test]
    fn options_are_read() {
        let wanted = parsed("--examples 7 --seed 3 --db postgres").unwrap();
        assert_eq!(wanted, Wanted { examples: 7, seed: 3, databases: vec!["postgres"] });
        assert_eq!(parsed("").unwrap().databases.len(), 2);
        for wrong in ["--examples", "--examples x", "--db mysql", "--fast 1"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
