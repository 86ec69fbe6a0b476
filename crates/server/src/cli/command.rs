//! The commands and their help, which has to do without a manual.

use std::path::PathBuf;

use accounts::{ApiKeyId, Scopes};
use clap::{Parser, Subcommand};
use kernel::{AccountId, quantity::QUANTITY_MAX};

use super::{ImportCommand, PaymentsCommand, TasksCommand, UsersCommand};
use crate::settings::Flags;

const EXAMPLES: &str = "\
Examples:
  Try it, with a demo shop and a ready-made API key:
    trastienda serve --demo

  Set up your own shop on SQLite, in the folder ./data:
    trastienda account create 'Abarrotes Lupita'
    trastienda key create --account acc_01J... --name 'Web shop' --scopes 'orders,products,customers'
    trastienda serve --listen 0.0.0.0:8080

  On PostgreSQL, keeping the password off the command line:
    export TRASTIENDA_DATABASE_URL=postgres://shop:secret@db/trastienda
    trastienda serve

Settings:
  Every setting can be given as a flag (anywhere after the program name), as an environment
  variable, or in a TOML file under its name with underscores (ip_rate_per_minute = 120). Flags
  take precedence over the environment, the environment over the file, and the file over the
  defaults. `trastienda --help` lists all settings; `trastienda config` shows the values in effect
  and where they come from.

Exit codes: 0 success, 1 failure, 2 invalid command line or setting.";

/// Commerce back-office for Mexican merchants: products, stock, orders, customers and leads behind a JSON API.
#[derive(Debug, Parser)]
#[command(name = "trastienda", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// Settings file [default: trastienda.toml, if it exists]
    #[arg(
        long,
        env = "TRASTIENDA_CONFIG",
        hide_env_values = true,
        value_name = "PATH",
        help_heading = "Settings file",
        global = true
    )]
    pub config: Option<String>,
    /// The settings.
    #[command(flatten)]
    pub flags: Flags,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the API until SIGTERM or Ctrl-C
    ///
    /// Migrates the database first, unless `--migrate false`. On SIGTERM or Ctrl-C the service stops accepting
    /// requests, finishes and commits those it has accepted, and exits; a second signal makes it exit immediately.
    #[command(after_help = "\
Examples:
  trastienda serve
  trastienda serve --listen 0.0.0.0:8080 --metrics-listen 127.0.0.1:9090 --log-format json
  trastienda serve --demo")]
    Serve {
        /// Create a demo shop if there is none, and print its API key and requests to try
        #[arg(long)]
        demo: bool,
    },
    /// Deliver events to webhooks and complete pending stampings, without serving the API, until SIGTERM or
    /// Ctrl-C
    ///
    /// For PostgreSQL installations that run deliveries separately from the API: run any number of workers
    /// alongside `trastienda serve --deliver false`. Every process needs the same master key.
    #[command(after_help = "\
Example:
  export TRASTIENDA_DATABASE_URL=postgres://shop:secret@db/trastienda TRASTIENDA_MASTER_KEY=...
  trastienda worker --metrics-listen 127.0.0.1:9091")]
    Worker,
    /// Migrate the database and exit
    ///
    /// `serve` does the same at startup; running it beforehand shortens the downtime of an upgrade, and with
    /// `--migrate false` nobody else does. Several may run concurrently.
    #[command(after_help = "\
Example:
  trastienda migrate --database-url sqlite:///var/lib/trastienda/shop.db")]
    Migrate,
    /// Write a checked copy of the SQLite database to a file, also while the service runs
    #[command(after_help = "\
Example:
  trastienda backup /var/backups/shop-2026-01-31.db")]
    Backup {
        /// File that does not exist yet
        file: PathBuf,
    },
    /// Put a copy made by `backup` in the place of the SQLite database
    ///
    /// The service must not be running. The copy is checked first; a database that it replaces is kept beside it.
    #[command(after_help = "\
Example:
  trastienda restore /var/backups/shop-2026-01-31.db --replace")]
    Restore {
        /// The copy
        file: PathBuf,
        /// Replace the database that is there
        #[arg(long)]
        replace: bool,
    },
    /// Check that this installation is well, and say what to do where it is not
    ///
    /// Looks at the settings, the database and its schema, the clocks, the master key, certificates near their end,
    /// tasks and deliveries that are stuck, and whether the ledgers add up. It changes nothing, and the service may
    /// run meanwhile. Exits with 1 if there is a failure.
    #[command(after_help = "\
Example:
  trastienda doctor")]
    Doctor,
    /// Create and list accounts
    #[command(after_help = "\
Examples:
  trastienda account create 'Abarrotes Lupita' --low-stock-threshold 3
  trastienda account list")]
    Account {
        /// What to do with accounts.
        #[command(subcommand)]
        command: AccountCommand,
    },
    /// Create, list and revoke API keys
    #[command(after_help = "\
Examples:
  trastienda key create --account acc_01J... --name 'Web shop' --scopes 'orders,products,customers'
  trastienda key list --account acc_01J...
  trastienda key revoke key_01J...")]
    Key {
        /// What to do with keys.
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// Grant the credits that stamping consumes, and show an account's balance
    #[command(after_help = "\
Examples:
  trastienda credits grant 1000 --account acc_01J... --note 'Invoice 4711'
  trastienda credits show --account acc_01J...")]
    Credits {
        /// What to do with credits.
        #[command(subcommand)]
        command: CreditsCommand,
    },
    /// Import a table of products, customers or stock
    #[command(after_help = "\
Examples:
  trastienda import products catalogo.csv --account acc_01J... --dry-run
  trastienda import products catalogo.xlsx --account acc_01J... --mode update")]
    Import {
        /// What to import.
        #[command(subcommand)]
        command: ImportCommand,
    },
    /// Compare payments with what their providers list
    #[command(after_help = "\
Example:
  trastienda payments reconcile --account acc_01J... --from 2026-01-01T06:00:00Z --to 2026-02-01T06:00:00Z")]
    Payments {
        /// What to do with payments.
        #[command(subcommand)]
        command: PaymentsCommand,
    },
    /// List tasks that are not done, and deal with those that are stuck
    #[command(after_help = "\
Examples:
  trastienda tasks list --attempts-min 5
  trastienda tasks show tsk_01J...
  trastienda tasks retry tsk_01J...
  trastienda tasks abandon tsk_01J... --note 'Not on the website of the provider, ticket 4711'
  trastienda tasks attach tsk_01J... --xml stamped.xml --note 'From the website of the provider'")]
    Tasks {
        /// What to do with tasks.
        #[command(subcommand)]
        command: TasksCommand,
    },
    /// Make users of the panel, list them, and print links by which they set a password
    #[command(after_help = "\
Examples:
  trastienda users add ana@example.com --account acc_01J... --name 'Ana Ruiz' --role owner
  trastienda users list
  trastienda users reset-password ana@example.com
  trastienda users setup-link --account acc_01J...")]
    Users {
        /// What to do with users.
        #[command(subcommand)]
        command: UsersCommand,
    },
    /// Finish an upgrade once no process of the last release runs any more
    #[command(after_help = "\
Example:
  trastienda upgrade finish")]
    Upgrade {
        /// What to do with the upgrade.
        #[command(subcommand)]
        command: UpgradeCommand,
    },
    /// Show every setting, its value in effect and where it comes from
    #[command(after_help = "\
Example:
  TRASTIENDA_BRAND=lupita trastienda config --listen 127.0.0.1:9000")]
    Config,
}

/// What can be done with an upgrade.
#[derive(Debug, Subcommand)]
pub enum UpgradeCommand {
    /// Keep count of what is promised to orders, and allow further warehouses
    ///
    /// Processes of the last release do not know of it, so on PostgreSQL it waits until you say that none is left; on
    /// SQLite it is done by the migration. The service may run meanwhile, and running it again does no harm.
    #[command(after_help = "\
Example:
  trastienda upgrade finish")]
    Finish,
}

/// What can be done with accounts.
#[derive(Debug, Subcommand)]
pub enum AccountCommand {
    /// Create an account and print its id
    ///
    /// The line printed starts with the id, so that scripts can extract it. The database is created or
    /// migrated first.
    #[command(after_help = "\
Example:
  trastienda account create 'Abarrotes Lupita' --low-stock-threshold 3")]
    Create {
        /// Display name of the merchant
        #[arg(value_parser = one_line)]
        name: String,
        /// Stock level below which products without a threshold of their own count as low
        #[arg(
            long,
            value_name = "N",
            allow_negative_numbers = true,
            default_value_t = accounts::account::LOW_STOCK_THRESHOLD_DEFAULT,
            value_parser = clap::value_parser!(i64).range(0..=QUANTITY_MAX)
        )]
        low_stock_threshold: i64,
    },
    /// List the accounts, oldest first
    #[command(after_help = "\
Example:
  trastienda account list")]
    List,
}

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Create an API key and print it, only this once
    ///
    /// Only the key goes to standard output; the database keeps only a digest of it. The database is created
    /// or migrated first.
    #[command(after_help = "\
Scopes: products, orders, customers, leads, deals, invoices, inbox, campaigns, payments, webhooks,
analytics, warehouses; '*' (quoted, so that the shell does not expand it) for all of them.

Examples:
  trastienda key create --account acc_01J... --name 'Web shop' --scopes 'orders,products,customers'
  trastienda key create --account acc_01J... --name 'Trying it out' --scopes '*' --test
  trastienda key create --account acc_01J... --name 'Manager' --scopes 'orders' --approve
  KEY=$(trastienda key create --account acc_01J... --name CI --scopes '*' --expires-in-days 30)")]
    Create {
        /// Account that the key gives access to, see `trastienda account list`
        #[arg(long, value_name = "ID", value_parser = account_id)]
        account: AccountId,
        /// Give access to the account's test account instead, created on first use: a space of its own, in which
        /// the sandbox stamps and nobody but testers gets mail
        #[arg(long)]
        test: bool,
        /// Display name of the key, e.g. what it is used for
        #[arg(long, value_name = "NAME", value_parser = one_line)]
        name: String,
        /// Comma-separated scopes of the key, or '*' for all
        #[arg(long, value_name = "SCOPES", value_parser = Scopes::parse)]
        scopes: Scopes,
        /// Let the holder of the key approve, within its scopes, what others ask for; see docs/approvals.md
        #[arg(long)]
        approve: bool,
        /// Requests per hour allowed for the key, overriding the setting key_rate_per_hour
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        rate_per_hour: Option<u32>,
        /// Days after which the key expires
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        expires_in_days: Option<u32>,
    },
    /// List the keys of an account, oldest first
    #[command(after_help = "\
Example:
  trastienda key list --account acc_01J...")]
    List {
        /// The account, see `trastienda account list`
        #[arg(long, value_name = "ID", value_parser = account_id)]
        account: AccountId,
    },
    /// Revoke a key permanently
    #[command(after_help = "\
Example:
  trastienda key revoke key_01J...")]
    Revoke {
        /// The key's id, see `trastienda key list`
        #[arg(value_name = "KEY_ID", value_parser = key_id)]
        id: ApiKeyId,
    },
}

/// Maximum characters of the names of accounts and keys.
const NAME_CHARS_MAX: usize = 200;

/// What can be done with credits.
#[derive(Debug, Subcommand)]
pub enum CreditsCommand {
    /// Grant credits to an account and print its new balance
    ///
    /// A stamp costs 10 credits.
    #[command(after_help = "\
Example:
  trastienda credits grant 1000 --account acc_01J... --note 'Invoice 4711'")]
    Grant {
        /// Number of credits
        #[arg(value_parser = clap::value_parser!(i64).range(1..=invoices::credits::GRANT_MAX))]
        amount: i64,
        /// The account
        #[arg(long, value_name = "ID", value_parser = account_id)]
        account: AccountId,
        /// Free-text note shown in the ledger
        #[arg(long, value_name = "TEXT", value_parser = one_line)]
        note: Option<String>,
    },
    /// Print the balance of an account
    #[command(after_help = "\
Example:
  trastienda credits show --account acc_01J...")]
    Show {
        /// The account
        #[arg(long, value_name = "ID", value_parser = account_id)]
        account: AccountId,
    },
}

pub(super) fn one_line(text: &str) -> Result<String, String> {
    kernel::text::line(text, NAME_CHARS_MAX).map_err(|problem| problem.to_string())
}

pub(super) fn account_id(text: &str) -> Result<AccountId, String> {
    AccountId::parse(text).ok_or_else(|| {
        "must be an account id such as acc_01JD3V9QK4W8N2RZ6T5B7C0XEA, see `trastienda account \
         list`"
            .to_owned()
    })
}

fn key_id(text: &str) -> Result<ApiKeyId, String> {
    ApiKeyId::parse(text).ok_or_else(|| {
        "must be a key id such as key_01JD3V9QK4W8N2RZ6T5B7C0XEA, see `trastienda key list`; the \
         key itself is not its id"
            .to_owned()
    })
}
