//! `cargo xtask pg`: a command beside a private PostgreSQL that goes away with it.

use anyhow::{Result, bail};

use crate::command;
use crate::postgres::{Cluster, Durability, TEST_URL};

/// Starts the cluster and runs the command.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let (durability, line) = parse(args);
    let [program, rest @ ..] = line else {
        bail!("which command? For example: cargo xtask pg -- sh -c 'psql $DATABASE_URL'");
    };
    let cluster = Cluster::start(durability)?;
    println!("Running beside {cluster}");
    let url = cluster.url();
    let mut command = command::program(program);
    command::run(command.args(rest).env(TEST_URL, &url).env("DATABASE_URL", &url))
}

fn parse(args: &[String]) -> (Durability, &[String]) {
    let (durability, rest) = match args {
        [first, rest @ ..] if first == "--durable" => (Durability::Full, rest),
        rest => (Durability::None, rest),
    };
    match rest {
        [dashes, line @ ..] if dashes == "--" => (durability, line),
        line => (durability, line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn durable_is_an_option_before_the_command_only() {
        assert_eq!(parse(&words("--durable -- a b")), (Durability::Full, &words("a b")[..]));
        assert_eq!(parse(&words("-- a --durable")), (Durability::None, &words("a --durable")[..]));
        assert_eq!(parse(&words("a b")), (Durability::None, &words("a b")[..]));
    }
}
