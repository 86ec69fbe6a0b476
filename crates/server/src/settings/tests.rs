//! Precedence, names and refusals of settings.

use super::{Settings, Sources, sources::Row};
use crate::cli;

fn rows(args: &[&str], file: &str) -> Vec<Row> {
    let matches = cli::command()
        .mut_args(|arg| arg.env(clap::builder::Resettable::Reset))
        .try_get_matches_from(args)
        .unwrap();
    let mut sources = Sources::default();
    sources.add_file("shop.toml", file).unwrap();
    sources.add_matches(&matches).unwrap();
    Settings::read(&sources).unwrap().1
}

fn refusal(file: &str) -> String {
    let mut sources = Sources::default();
    match sources.add_file("shop.toml", file).and_then(|()| Settings::read(&sources)) {
        Ok(_) => "accepted".to_owned(),
        Err(bad) => bad.to_string(),
    }
}

fn shown<'a>(rows: &'a [Row], name: &str) -> (&'a str, String) {
    let row = rows.iter().find(|row| row.name == name).unwrap();
    (row.value.as_str(), row.origin.to_string())
}

#[test]
fn flag_beats_file_beats_default() {
    let file =
        "brand = \"tienda\"\nip_rate_per_minute = 7\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]";
    // The same flag is understood before and behind the subcommand.
    for args in [
        ["trastienda", "--brand", "abarrotes", "config"],
        ["trastienda", "config", "--brand", "abarrotes"],
    ] {
        let rows = rows(&args, file);
        assert_eq!(shown(&rows, "brand"), ("abarrotes", "flag".to_owned()));
        assert_eq!(shown(&rows, "ip_rate_per_minute"), ("7", "file shop.toml".to_owned()));
        assert_eq!(shown(&rows, "key_rate_per_hour"), ("3600", "default".to_owned()));
        assert_eq!(shown(&rows, "trusted_proxies").1, "file shop.toml");
    }
}

#[test]
fn environment_stands_between_flag_and_file() {
    // PATH is the one variable that is certain to be set, and tests must not set others.
    let parse = |args: &[&str]| {
        let from_path = |arg: clap::Arg| match arg.get_id().as_str() {
            "data_dir" => arg.env("PATH"),
            _ => arg.env(clap::builder::Resettable::Reset),
        };
        let matches = cli::command().mut_args(from_path).try_get_matches_from(args).unwrap();
        let mut sources = Sources::default();
        sources.add_file("shop.toml", "data_dir = \"/srv/shop\"").unwrap();
        sources.add_matches(&matches).unwrap();
        Settings::read(&sources).unwrap().1
    };
    let rows = parse(&["trastienda", "account", "list"]);
    assert_eq!(shown(&rows, "data_dir").1, "environment");
    let rows = parse(&["trastienda", "account", "list", "--data-dir", "/mnt"]);
    assert_eq!(shown(&rows, "data_dir"), ("/mnt", "flag".to_owned()));
    assert_eq!(shown(&rows, "database_url"), ("sqlite:///mnt/trastienda.db", "default".to_owned()));
}

#[test]
fn passwords_do_not_show() {
    let rows = rows(&["trastienda", "config"], "database_url = \"postgres://ana:s3cr3t@db/shop\"");
    assert_eq!(shown(&rows, "database_url").0, "postgres://ana:***@db/shop");
    assert!(!refusal("database_url = \"postgre://ana:s3cr3t@db/shop\"").contains("s3cr3t"));
}

#[test]
fn refusals_name_the_setting_and_the_fix() {
    let cases = [
        ("http_workers = 0", "http_workers (file shop.toml) must be a whole number from 1 to 1024"),
        (
            "brand = \"Mi Tienda\"",
            "brand (file shop.toml) must be one word of 1 to 32 letters from a to z",
        ),
        (
            "listen = \"localhost\"",
            "listen (file shop.toml) must be an IP address and a port such as 127.0.0.1:8080",
        ),
        ("log_format = \"xml\"", "log_format (file shop.toml) must be human or json"),
        ("log = true", "log (file shop.toml) must be a string or a number, not a boolean"),
    ];
    for (file, sentence) in cases {
        assert_eq!(refusal(file), sentence);
    }
    assert!(refusal("lissten = 1").starts_with("lissten (file shop.toml) is not a setting;"));
    assert!(
        refusal("a = 1\nb")
            .starts_with("the settings file shop.toml is not valid TOML, see line 2")
    );
    assert!(refusal("metrics_listen = \"x\"").ends_with(", or \"none\""));
    assert!(refusal("trusted_proxies = \"x\"").contains("comma-separated list"));
}

#[test]
fn variables_are_named_after_their_settings() {
    // This one is every program's.
    let ours = Settings::DECLARED.iter().filter(|(_, env)| *env != "SSL_CERT_FILE");
    for (name, env) in ours {
        assert_eq!(*env, format!("TRASTIENDA_{}", name.to_uppercase()));
    }
}

#[test]
fn defaults_are_those_of_the_api() {
    let (settings, _) = Settings::read(&Sources::default()).unwrap();
    assert_eq!(settings.api(), api::Settings::default());
}

#[test]
fn a_variable_that_is_no_setting_is_refused() {
    let refused = |names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned());
        super::sources::refuse_unknown(names).err().map(|bad| bad.to_string()).unwrap_or_default()
    };
    for known in [
        &["PATH", "TRASTIENDA_LISTEN", "TRASTIENDA_CONFIG"][..],
        &["TRASTIENDA_TEST_POSTGRES_URL", "SSL_CERT_FILE"],
        &[],
    ] {
        assert_eq!(refused(known), "", "{known:?}");
    }
    let message = refused(&["TRASTIENDA_LISTEN", "TRASTIENDA_DATABSE_URL"]);
    assert!(message.starts_with("TRASTIENDA_DATABSE_URL (environment) is not"), "{message}");
}
