//! The command line: what can be asked of the program, and how it answers.

mod account;
mod backup;
mod command;
mod config;
mod credits;
mod doctor;
mod import;
mod key;
mod open;
mod payments;
mod tasks;
mod users;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use kernel::Actor;

pub use command::{AccountCommand, Cli, Command, CreditsCommand, KeyCommand, UpgradeCommand};
pub use import::ImportCommand;
pub use payments::PaymentsCommand;
pub use tasks::TasksCommand;
pub use users::UsersCommand;

use crate::{
    beside::Beside,
    data_dir, output, serve, service,
    settings::{BadSetting, Settings, Sources, sources::Row},
    worker,
};

/// The exit code for a command line or a setting that is not right.
const EXIT_USAGE: u8 = 2;

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let matches = match command().try_get_matches() {
        Ok(matches) => matches,
        // Of the arguments that it asks for, clap also names those that the environment gives.
        Err(error) if error.use_stderr() => match without_environment().try_get_matches() {
            Err(error) => error.exit(),
            Ok(_) => error.exit(),
        },
        Err(error) => error.exit(),
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.format(&mut command()).exit(),
    };
    let (settings, rows) = match settings(&matches) {
        Ok(read) => read,
        Err(bad) => {
            output::note(format!("trastienda: {bad}"));
            return ExitCode::from(EXIT_USAGE);
        }
    };
    match run(cli.command, &settings, &rows) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(format!("trastienda: {}", sentence(&error, &settings)));
            ExitCode::FAILURE
        }
    }
}

/// What failed and why, on one line and without the password of the database.
fn sentence(error: &anyhow::Error, settings: &Settings) -> String {
    let text = settings.database_url.masked_in(&format!("{error:#}"));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The command line as clap knows it, with the defaults of the settings in its help.
///
/// # Panics
/// Never in a release: the tests check the declaration.
#[must_use]
pub fn command() -> clap::Command {
    let defaults = Settings::read(&Sources::default()).map(|(_, rows)| rows).unwrap_or_default();
    defaults.into_iter().fold(Cli::command(), |command, row| {
        let help = format!("{} [default: {}]", row.meaning, row.value);
        command.mut_arg(row.name, |arg| arg.help(help))
    })
}

/// The command line as it is without the variables of the environment.
fn without_environment() -> clap::Command {
    fn bare(command: clap::Command) -> clap::Command {
        let command = command.mut_args(|arg| arg.env(clap::builder::Resettable::Reset));
        command.mut_subcommands(bare)
    }
    bare(command())
}

fn settings(matches: &clap::ArgMatches) -> Result<(Settings, Vec<Row>), BadSetting> {
    Settings::read(&Sources::gather(matches)?)
}

fn run(command: Command, settings: &Settings, rows: &[Row]) -> anyhow::Result<()> {
    match command {
        Command::Serve { demo } => serve::serve(&Beside { settings, rows }, demo),
        Command::Worker => worker::work(settings),
        Command::Migrate => migrate(settings),
        Command::Backup { file } => backup::back_up(settings, &file),
        Command::Restore { file, replace } => backup::restore(settings, &file, replace),
        Command::Doctor => doctor::examine(settings),
        Command::Account { command } => account::run(command, &Beside { settings, rows }),
        Command::Key { command } => key::run(command, settings),
        Command::Credits { command } => credits::run(command, settings),
        Command::Import { command } => import::run(command, settings),
        Command::Payments { command } => payments::run(command, settings),
        Command::Tasks { command } => tasks::run(command, settings),
        Command::Users { command } => users::run(command, settings),
        Command::Upgrade { command: UpgradeCommand::Finish } => finish_upgrade(settings),
        Command::Config => {
            config::show(rows);
            Ok(())
        }
    }
}

fn migrate(settings: &Settings) -> anyhow::Result<()> {
    data_dir::create_for_database(settings)?;
    let applied = service::migrate(&settings.store())?;
    for name in &applied {
        output::say(format!("applied {name}"));
    }
    output::say(format!("{} is up to date", settings.database_url));
    Ok(())
}

/// Who works here, for the audit log.
fn operator() -> Actor {
    Actor::Operator(std::env::var("USER").unwrap_or_default().into())
}

fn finish_upgrade(settings: &Settings) -> anyhow::Result<()> {
    service::migrate(&settings.store())?;
    let store::Finished { accounts, orders } = store::finish_upgrade(&settings.store())?;
    output::say(format!("finished: {accounts} accounts, {orders} open orders"));
    Ok(())
}

#[cfg(test)]
mod tests;
