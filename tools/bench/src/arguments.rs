//! The command line.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Measures the service beside the limits of its machine, and kills it to see what survives.
#[derive(Debug, Parser)]
#[command(name = "bench", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure rates, latencies, processor time and memory beside their limits
    Bench(BenchOptions),
    /// Kill the service under load and audit what it acknowledged
    Chaos(ChaosOptions),
    /// Serve the static 1 KB answer that reads are measured against
    Static {
        /// Where to listen, for example 127.0.0.1:8099
        #[arg(long)]
        listen: SocketAddr,
    },
    /// Receive webhooks: well, slowly, badly or never, as the path says
    Receiver {
        /// Where to listen, for example 127.0.0.1:8098
        #[arg(long)]
        listen: SocketAddr,
    },
}

#[derive(Debug, Args)]
pub(crate) struct BenchOptions {
    /// Rows to measure; all when none is named
    #[arg(value_enum, value_name = "ROW")]
    pub(crate) rows: Vec<Row>,
    /// How often service and limit are measured in alternation
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rounds: u32,
    /// Length of one measurement in seconds
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seconds: u32,
    /// How many products the catalogue holds
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(20..))]
    pub(crate) products: u32,
    /// How many rows the imported tables have; beyond 300,000 memory alone is measured
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=2_000_000))]
    pub(crate) imported: u64,
    /// How many orders, and as many products, the account panel lists
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(160..=1_000_000))]
    pub(crate) listed: u64,
    /// Two rounds of one second on 1,000 products: shows that all works, proves nothing
    #[arg(long)]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) surroundings: Surroundings,
}

#[derive(Debug, Args)]
pub(crate) struct ChaosOptions {
    /// What is put under load
    #[arg(value_enum)]
    pub(crate) subject: Subject,
    /// How often the server is killed on each database
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) cycles: u32,
    /// Repeats the decisions of an earlier run; drawn from the clock when absent
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// How many rows each imported file has
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub(crate) rows: u64,
    /// What a hostile account sends, by turns; everything when none is named
    #[arg(long = "attack", value_enum, value_name = "ATTACK")]
    pub(crate) attacks: Vec<Attack>,
    /// What is done to nodes, by turns; everything when none is named
    #[arg(long = "deed", value_enum, value_name = "DEED")]
    pub(crate) deeds: Vec<Deed>,
    /// The proxy that stands before nodes
    #[arg(
        long,
        env = "TRASTIENDA_BENCH_HAPROXY",
        value_name = "FILE",
        default_value = "/usr/sbin/haproxy"
    )]
    pub(crate) haproxy: PathBuf,
    #[command(flatten)]
    pub(crate) surroundings: Surroundings,
}

/// What both commands need to know of the machine they run on.
#[derive(Debug, Args)]
pub(crate) struct Surroundings {
    /// Databases to run on
    #[arg(long = "db", value_enum, default_value_t = DatabaseChoice::Both)]
    pub(crate) databases: DatabaseChoice,
    /// The server binary
    #[arg(long, env = "TRASTIENDA_BIN", value_name = "FILE")]
    pub(crate) binary: PathBuf,
    /// Administrator's address of a durable PostgreSQL
    #[arg(long, env = "TRASTIENDA_BENCH_POSTGRES_URL", hide_env_values = true, value_name = "URL")]
    pub(crate) postgres_url: Option<String>,
    /// Folder of psql and pgbench when they are not on PATH
    #[arg(long, env = "TRASTIENDA_BENCH_PG_CTL", value_name = "DIR")]
    pub(crate) postgres_bin: Option<PathBuf>,
    /// Data folder of that PostgreSQL, to account for its processor time
    #[arg(long, env = "TRASTIENDA_BENCH_PG_DATA", value_name = "DIR")]
    pub(crate) postgres_data: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DatabaseChoice {
    Sqlite,
    Postgres,
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Row {
    /// One product by its id, 64 connections
    Get,
    /// A page of 20 products with the total, 64 connections
    Page,
    /// Orders of two lines at 64, 16 and 1 connections
    Orders,
    /// The slowest hundredth of orders at half the maximum rate
    Latency,
    /// Invoices stamped by the sandbox at 64, 16 and 1 connections, beside the signatures of `openssl speed rsa2048`; only when it is named
    Stampings,
    /// Payments of orders in cash at 64, 16 and 1 connections, beside the orders themselves; only when it is named
    Payments,
    /// Cold start and memory
    Startup,
    /// Searches and filters of a million products and orders; only when it is named
    Search,
    /// Products imported from tables, beside the database's own bulk load; only when it is named
    Imports,
    /// Orders and products with stock in five warehouses, beside those of one; only when it is named
    Stock,
    /// An account of 10 thousand to a million products and orders beside 20,000 accounts, over one by itself; only when it is named
    Growth,
    /// Pages of the account panel of a shop with 100,000 orders and products; only when it is named
    Panel,
    /// All rows about webhooks
    Webhooks,
    /// A bare client posting what the service posts: the limit of the rows below
    WebhooksLimit,
    /// Orders created and delivered to one endpoint, 64 connections
    WebhooksOne,
    /// Deliveries of orders that 50 endpoints want
    WebhooksFifty,
    /// A backlog of deliveries worked off without any other load
    WebhooksPump,
    /// From the answer to an order to its arrival, at 300 orders a second
    WebhooksLatency,
    /// The same for healthy endpoints beside a hanging and a dripping one
    WebhooksIsolation,
    /// Peak memory with 500 hanging endpoints and answers of 20 MB
    WebhooksAbuse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Subject {
    /// Orders, their stock, their events
    Orders,
    /// Deliveries of the events, with the workers and the database killed as well
    Webhooks,
    /// Payments and refunds, beside the books of their provider
    Payments,
    /// Files of products that are imported beside orders
    Imports,
    /// Receipts, transfers, counts, shipments, returns and corrections of stock
    Stock,
    /// A good account beside a hostile one; nothing is killed, and each cycle measures once
    Tenants,
    /// Three nodes on one PostgreSQL behind a proxy
    Nodes,
}

/// What a hostile account sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Attack {
    /// Certificates whose key derivation takes longest
    Certificate,
    /// Logos of few bytes and many pixels
    Logo,
    /// Orders of as many lines as there may be
    Order,
    /// Bodies as large as they may be
    Body,
    /// Searches of all lists that most rows match
    Search,
}

/// What is done to the nodes of one database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deed {
    /// One is killed under load, and started again
    Kill,
    /// All are stopped and started under load, one after the other: no request may fail
    Restart,
    /// One is paused for 15 s within a transaction of one of twelve accounts
    Stall,
    /// Orders by turns of the nodes, and by the key, over orders at one of them
    Routing,
    /// A key is revoked while every node is asked whether it is
    Revoke,
    /// A key is used more often than it may at all nodes, with Valkey or Redis counting for them and without
    Limits,
}

impl fmt::Display for DatabaseChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Both => "both",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn rows_are_named_before_options() {
        let line = ["bench", "bench", "get", "orders", "--rounds", "2", "--binary", "/bin/true"];
        let Command::Bench(options) = Arguments::parse_from(line).command else {
            panic!("the bench command was asked for");
        };
        assert_eq!(options.rows, [Row::Get, Row::Orders]);
        assert_eq!(options.rounds, 2);
    }

    #[test]
    fn webhooks_are_a_group_of_rows_and_a_subject() {
        let line = ["bench", "bench", "webhooks", "webhooks-pump", "--binary", "/bin/true"];
        let Command::Bench(options) = Arguments::parse_from(line).command else {
            panic!("the bench command was asked for");
        };
        assert_eq!(options.rows, [Row::Webhooks, Row::WebhooksPump]);
        let line = ["bench", "chaos", "webhooks", "--cycles", "3", "--binary", "/bin/true"];
        let Command::Chaos(options) = Arguments::parse_from(line).command else {
            panic!("the chaos command was asked for");
        };
        assert_eq!((options.subject, options.cycles), (Subject::Webhooks, 3));
    }

    #[test]
    fn deeds_are_chosen_one_by_one() {
        let line = ["bench", "chaos", "nodes", "--deed", "stall", "--binary", "/bin/true"];
        let Command::Chaos(options) = Arguments::parse_from(line).command else {
            panic!("the chaos command was asked for");
        };
        assert_eq!((options.subject, options.deeds), (Subject::Nodes, vec![Deed::Stall]));
    }

    #[test]
    fn attacks_are_chosen_one_by_one() {
        let line = ["bench", "chaos", "tenants", "--attack", "order", "--attack", "search"];
        let line = line.into_iter().chain(["--binary", "/bin/true"]);
        let Command::Chaos(options) = Arguments::parse_from(line).command else {
            panic!("the chaos command was asked for");
        };
        assert_eq!(options.attacks, [Attack::Order, Attack::Search]);
    }
}
