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
/// Of what it prints: how many faults it tried, and how many stamps there were beyond one for each invoice.
const FAULTS: &str = "faults";
const DOUBLE_STAMPS: &str = "double_stamps";
/// Faults of one status: three bodies, from two providers, on two databases.
const FAULTS_OF_A_STATUS: u64 = 12;
/// Statuses from 300 to 599 without those that every round tries.
const STATUSES_MAX: u64 = 295;

/// What is wanted.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    /// As many rounds at least.
    rounds: u64,
    /// As many faults at least.
    faults: u64,
    first: u64,
    effort: u64,
    /// How many statuses of gateways a round tries besides those that it always does.
    statuses: Option<u64>,
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
    let mut seed = wanted.first;
    while seed < wanted.first + wanted.rounds || tally.count(FAULTS) < wanted.faults {
        let (failed, tried) = (tally.failed, tally.count(FAULTS));
        let statuses = wanted.statuses_after(tried);
        let output = round(seed, wanted.effort, statuses, &url).output();
        let output = output.context("cargo test cannot be started")?;
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        tally.read(&out);
        tally.read(&err);
        if !output.status.success() {
            println!("{out}{err}");
            // Tests that did not even run have failed as well.
            tally.failed = tally.failed.max(failed + 1);
        }
        let statuses = statuses.map_or_else(String::new, |count| format!(" --statuses {count}"));
        println!("--seed {seed} --effort {}{statuses}: {tally}", wanted.effort);
        ensure!(
            wanted.faults == 0 || tally.count(FAULTS) > tried,
            "no fault was tried, so there is no end to it"
        );
        seed += 1;
    }
    println!(
        "{} faults tried in {:.0} s, seeds {} to {}: {} double stamps; {tally}",
        tally.count(FAULTS),
        began.elapsed().as_secs_f64(),
        wanted.first,
        seed.saturating_sub(1),
        tally.count(DOUBLE_STAMPS),
    );
    ensure!(
        tally.failed == 0 && tally.count(DOUBLE_STAMPS) == 0,
        "repeat a round with --rounds 1 and the options at its line"
    );
    Ok(())
}

fn round(seed: u64, effort: u64, statuses: Option<u64>, url: &str) -> Command {
    let mut command = cargo();
    command.args(["test", "-p", "trastienda", "--test", "it", "--", "faults::"]);
    // The faults of inputs are another matter.
    command.args(["--skip", "input::", "--nocapture"]);
    command
        .env(TEST_URL, url)
        .env("TRASTIENDA_FAULTS_SEED", seed.to_string())
        .env("TRASTIENDA_FAULTS_EFFORT", effort.to_string());
    if let Some(statuses) = statuses {
        command.env("TRASTIENDA_FAULTS_STATUSES", statuses.to_string());
    }
    command
}

fn parse(args: &[String]) -> Result<Wanted> {
    let mut wanted = Wanted { rounds: 1, faults: 0, first: 0, effort: 1, statuses: None };
    let mut args = args.iter();
    while let Some(option) = args.next() {
        let value = args.next().with_context(|| format!("{option} needs a number"))?;
        let value = value.parse().with_context(|| format!("{option} needs a number"))?;
        match option.as_str() {
            "--rounds" => wanted.rounds = value,
            "--faults" => wanted.faults = value,
            "--seed" => wanted.first = value,
            "--effort" => wanted.effort = value,
            "--statuses" => wanted.statuses = Some(value),
            _ => bail!("the options are --rounds, --faults, --seed, --effort and --statuses"),
        }
    }
    Ok(wanted)
}

impl Wanted {
    /// How many statuses the next round tries when so many faults have been tried: as many as are named, or as what is
    /// missing takes. Without either the tests decide.
    fn statuses_after(&self, tried: u64) -> Option<u64> {
        let missing = self.faults.saturating_sub(tried);
        let taken = missing.div_ceil(FAULTS_OF_A_STATUS).min(STATUSES_MAX);
        self.statuses.or((missing > 0).then_some(taken))
    }
}

impl Tally {
    /// What the tests told of something.
    fn count(&self, what: &str) -> u64 {
        self.told.get(what).copied().unwrap_or_default()
    }

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
        let mut told = self.told.iter();
        told.try_for_each(|(what, count)| write!(f, ", {count} {}", what.replace('_', " ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_numbers() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let wanted = parse(&words("--rounds 20 --seed 3")).unwrap();
        let usual = Wanted { rounds: 1, faults: 0, first: 0, effort: 1, statuses: None };
        assert_eq!(wanted, Wanted { rounds: 20, first: 3, ..usual });
        for wrong in ["--rounds", "--rounds x", "--round 1"] {
            assert!(parse(&words(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn statuses_are_as_many_as_what_is_missing_takes() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let after = |line: &str, tried| parse(&words(line)).unwrap().statuses_after(tried);
        assert_eq!(after("", 0), None);
        assert_eq!(after("--faults 5000", 0), Some(STATUSES_MAX));
        assert_eq!(after("--faults 5000", 4_051), Some(80));
        assert_eq!(after("--faults 5000", 5_000), None);
        assert_eq!(after("--faults 5000 --statuses 7", 0), Some(7));
    }

    #[test]
    fn what_was_tried_is_added_up() {
        let mut tally = Tally::default();
        tally.read("x\nfaults: kills=3 stamps=20\ntest result: ok. 5 passed; 1 failed; 0 ignored");
        tally.read("test a ... faults: stamps=1 double_stamps=0");
        assert_eq!(tally.to_string(), "6 tests run, 1 failed, 0 double stamps, 3 kills, 21 stamps");
        assert_eq!((tally.count("stamps"), tally.count(FAULTS)), (21, 0));
    }
}
