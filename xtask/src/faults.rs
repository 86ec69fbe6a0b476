//! `cargo xtask faults`: the tests of stampings and cancellations under faults, on both databases, again and
//! again with other seeds.

use std::collections::BTreeMap;
use std::env;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::command::cargo;
use crate::postgres::{Cluster, Durability, TEST_URL};

/// What a test prints before the counts of what it tried.
const TOLD: &str = "faults:";

/// What is wanted.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    rounds: u64,
    first: u64,
    effort: u64,
}

/// What was tried so far.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    run: usize,
    failed: usize,
    told: BTreeMap<String, u64>,
}

/// Runs the rounds and prints what was tried.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let wanted = parse(args)?;
    let (url, _cluster) = match env::var(TEST_URL) {
        Ok(url) if !url.is_empty() => (url, None),
        _ => {
            let cluster = Cluster::start(Durability::None)?;
            (cluster.url(), Some(cluster))
        }
    };
    let (began, mut tally) = (Instant::now(), Tally::default());
    for seed in wanted.first..wanted.first + wanted.rounds {
        let output =
            round(seed, wanted.effort, &url).output().context("cargo test cannot be started")?;
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let failed = tally.failed;
        tally.read(&out);
        tally.read(&err);
        if !output.status.success() {
            println!("{out}{err}");
            // Tests that did not even run have failed as well.
            tally.failed = tally.failed.max(failed + 1);
        }
        println!("seed {seed}: {tally}");
    }
    println!("{} rounds in {:.0} s: {tally}", wanted.rounds, began.elapsed().as_secs_f64());
    ensure!(tally.failed == 0, "repeat a round with --seed SEED --rounds 1");
    Ok(())
}

fn round(seed: u64, effort: u64, url: &str) -> Command {
    let mut command = cargo();
    command.args(["test", "-p", "trastienda", "--test", "it", "--", "faults::"]);
    // The faults of inputs are another matter.
    command.args(["--skip", "input::", "--nocapture"]);
    command
        .env(TEST_URL, url)
        .env("TRASTIENDA_FAULTS_SEED", seed.to_string())
        .env("TRASTIENDA_FAULTS_EFFORT", effort.to_string());
    command
}

fn parse(args: &[String]) -> Result<Wanted> {
    let mut wanted = Wanted { rounds: 1, first: 0, effort: 1 };
    let mut args = args.iter();
    while let Some(option) = args.next() {
        let value = args.next().with_context(|| format!("{option} needs a number"))?;
        let value = value.parse().with_context(|| format!("{option} needs a number"))?;
        match option.as_str() {
            "--rounds" => wanted.rounds = value,
            "--seed" => wanted.first = value,
            "--effort" => wanted.effort = value,
            _ => bail!("the options are --rounds N, --seed N and --effort N"),
        }
    }
    Ok(wanted)
}

impl Tally {
    /// Adds what a round printed: the test runner's last line, and what the tests told.
    fn read(&mut self, text: &str) {
        for line in text.lines() {
            if let Some((_, counts)) = line.split_once(TOLD) {
                for (what, count) in counts.split_whitespace().filter_map(|one| one.split_once('='))
                {
                    *self.told.entry(what.to_owned()).or_default() +=
                        count.parse::<u64>().unwrap_or_default();
                }
            }
            if let Some(counts) = line.strip_prefix("test result: ") {
                let of = |what: &str| {
                    let count =
                        counts.split([';', '.']).find_map(|one| one.trim().strip_suffix(what));
                    count.and_then(|count| count.trim().parse::<usize>().ok()).unwrap_or_default()
                };
                self.run += of("passed") + of("failed");
                self.failed += of("failed");
            }
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} tests run, {} failed", self.run, self.failed)?;
        self.told.iter().try_for_each(|(what, count)| write!(f, ", {count} {what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_numbers() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let wanted = parse(&words("--rounds 20 --seed 3")).unwrap();
        assert_eq!(wanted, Wanted { rounds: 20, first: 3, effort: 1 });
        for wrong in ["--rounds", "--rounds x", "--round 1"] {
            assert!(parse(&words(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_was_tried_is_added_up() {
        let mut tally = Tally::default();
        tally.read("x\nfaults: kills=3 stamps=20\ntest result: ok. 5 passed; 1 failed; 0 ignored");
        tally.read("test a ... faults: stamps=1");
        assert_eq!(tally.to_string(), "6 tests run, 1 failed, 3 kills, 21 stamps");
    }
}
