//! The command line parses as its help says.

use clap::FromArgMatches;

use super::{AccountCommand, Cli, Command, KeyCommand, command};

fn parse(line: &str) -> Result<Cli, clap::Error> {
    let command = command().mut_args(|arg| arg.env(clap::builder::Resettable::Reset));
    Cli::from_arg_matches(&command.try_get_matches_from(line.split_whitespace())?)
}

#[test]
fn declaration_is_sound() {
    command().debug_assert();
}

#[test]
fn commands_parse() {
    let cli = parse("trastienda serve --demo --listen 0.0.0.0:80").unwrap();
    assert!(matches!(cli.command, Command::Serve { demo: true }));
    assert_eq!(cli.flags.listen.as_deref(), Some("0.0.0.0:80"));

    let cli = parse("trastienda account create Lupita --low-stock-threshold 3").unwrap();
    let Command::Account { command: AccountCommand::Create { name, low_stock_threshold } } =
        cli.command
    else {
        panic!("another command")
    };
    assert_eq!((name.as_str(), low_stock_threshold), ("Lupita", 3));

    let id = "acc_01JD3V9QK4W8N2RZ6T5B7C0XEA";
    let cli = parse(&format!("trastienda key create --account {id} --name CI --scopes *")).unwrap();
    let Command::Key { command: KeyCommand::Create { account, scopes, .. } } = cli.command else {
        panic!("another command")
    };
    assert_eq!((account.to_string().as_str(), scopes.to_string().as_str()), (id, "*"));
}

#[test]
fn slips_are_refused_with_the_fix() {
    let cases = [
        ("trastienda key list --account 7", "trastienda account list"),
        ("trastienda key revoke service_abc", "the key itself is not its id"),
        (
            "trastienda key create --account acc_01JD3V9QK4W8N2RZ6T5B7C0XEA --name a --scopes order",
            "the scopes are",
        ),
        ("trastienda account create a --low-stock-threshold -1", "low-stock-threshold"),
    ];
    for (line, fix) in cases {
        let error = parse(line).unwrap_err();
        assert!(error.to_string().contains(fix), "{error}");
        assert_eq!(error.exit_code(), 2, "{line}");
    }
}

#[test]
fn every_command_has_an_example() {
    fn check(command: &clap::Command) {
        for sub in command.get_subcommands() {
            let help = sub.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Example"), "{}", sub.get_name());
            assert!(sub.get_about().is_some(), "{}", sub.get_name());
            check(sub);
        }
    }
    check(&command());
}
