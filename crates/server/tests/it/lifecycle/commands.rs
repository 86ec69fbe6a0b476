//! What the command line answers.

use clap::CommandFactory;
use kernel::Timestamp;
use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};
use trastienda::{Settings, cli::Cli};

use super::program::{Said, Site, stocked};
use crate::keys::assert_refused_soon;

on_both!(
    accounts_and_keys_are_managed_beside_a_running_service,
    users_are_made_beside_a_running_service,
    credits_are_granted_beside_a_running_service,
    payments_are_reconciled_beside_a_running_service,
    an_empty_database_says_what_to_do_next,
);

#[test]
fn the_version_is_told() {
    let told = Site::bare().say(&["--version"]);
    assert_eq!(told, format!("trastienda {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_mentions_every_command_and_setting() {
    let site = Site::bare();
    let help = site.say(&["--help"]);
    for (name, _) in Settings::DECLARED {
        let flag = format!("--{}", name.replace('_', "-"));
        assert!(help.contains(&flag), "{flag}");
    }
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        assert!(help.contains(&format!("\n  {name} ")), "{name} in {help}");
        assert!(site.say(&["-h"]).contains(name), "{name}");
        assert!(site.say(&[name, "--help"]).contains("Example"), "{name}");
        for nested in command.get_subcommands() {
            let nested = nested.get_name();
            assert!(site.say(&[name, "--help"]).contains(nested), "{name} {nested}");
            assert!(site.say(&[name, nested, "--help"]).contains("Example"), "{name} {nested}");
        }
    }
}

#[test]
fn config_lists_every_setting_with_its_source_and_no_password() {
    let site = Site::bare();
    std::fs::write(
        site.folder.path().join("trastienda.toml"),
        "brand = \"lupita\"\nhttp_workers = 3\n",
    )
    .unwrap();
    let mut command = site.command(&["config", "--listen", "127.0.0.1:9000"]);
    command.env("TRASTIENDA_DATABASE_URL", "postgres://ana:s3cr3t@db.example/shop");
    command.env("TRASTIENDA_HTTP_WORKERS", "5");
    let said = Said::by(command);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let row = |name: &str| {
        let found = said.out.lines().find(|line| line.split(' ').next() == Some(name));
        found.unwrap_or_else(|| panic!("{name} in {}", said.out)).to_owned()
    };
    for (name, env) in Settings::DECLARED {
        assert!(row(name).contains(env), "{name}");
    }
    // Setting, value, source.
    let cases = [
        ("listen", "127.0.0.1:9000", "flag"),
        ("brand", "lupita", "file trastienda.toml"),
        ("http_workers", "5", "environment"),
        ("ip_rate_per_minute", "60", "default"),
        ("key_rate_per_hour", "3600", "default"),
        ("database_url", "postgres://ana:***@db.example/shop", "environment"),
    ];
    for (name, value, source) in cases {
        let cells: Vec<String> = row(name)
            .split("  ")
            .map(|cell| cell.trim().to_owned())
            .filter(|cell| !cell.is_empty())
            .collect();
        assert_eq!((cells[1].as_str(), cells[2].as_str()), (value, source), "{name}");
    }
    assert!(!format!("{}{}", said.out, said.err).contains("s3cr3t"));
}

#[test]
fn a_wrong_setting_is_named_in_a_sentence() {
    let site = Site::bare();
    let flags = [
        ("--listen", "nonsense", "listen"),
        ("--ip-rate-per-minute", "0", "ip_rate_per_minute"),
        ("--brand", "Two Words", "brand"),
        ("--log-format", "xml", "log_format"),
        ("--database-url", "mysql://ana:s3cr3t@db/shop", "database_url"),
        ("--trusted-proxies", "everyone", "trusted_proxies"),
    ];
    for (flag, value, name) in flags {
        let said = site.run(&["serve", flag, value]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{flag}");
        let sentence = said.err.trim_end();
        assert!(sentence.contains(name) && sentence.contains(" must "), "{sentence}");
        assert!(sentence.contains(flag), "{sentence}");
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
        assert!(!sentence.contains("s3cr3t"), "{sentence}");
    }
    let mut command = site.command(&["config"]);
    command.env("TRASTIENDA_HTTP_WORKERS", "many");
    let said = Said::by(command);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("TRASTIENDA_HTTP_WORKERS"), "{}", said.err);

    std::fs::write(site.folder.path().join("trastienda.toml"), "listne = \"127.0.0.1:1\"\n")
        .unwrap();
    let said = site.run(&["config"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("listne") && said.err.contains("trastienda.toml"), "{}", said.err);
    assert_eq!(site.run(&["dance"]).code, Some(2));
}

#[test]
fn an_unreachable_database_ends_the_start_with_a_clear_sentence() {
    let site = Site::bare();
    let mut command = site.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("TRASTIENDA_DATABASE_URL", "postgres://ana:s3cr3t@127.0.0.1:1/shop");
    command.env("TRASTIENDA_DATABASE_CONNECT_TIMEOUT_SECONDS", "2");
    let said = Said::by(command);
    assert_eq!(said.code, Some(1), "{}", said.err);
    let sentence = said.err.lines().last().unwrap();
    assert!(sentence.starts_with("trastienda: cannot migrate the database: "), "{sentence}");
    assert!(sentence.contains("127.0.0.1"), "{sentence}");
    assert!(!format!("{}{}", said.out, said.err).contains("s3cr3t"), "{}", said.err);
}

#[test]
fn an_address_in_use_is_named_with_the_way_out() {
    let site = Site::bare();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let said = site.run(&["serve", "--listen", &addr]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains(&addr) && said.err.contains("--listen"), "{}", said.err);
}

fn accounts_and_keys_are_managed_beside_a_running_service(kind: DatabaseKind) {
    let site = Site::new(kind);
    let server = site.serve(&[]);
    let (account, key) = site.account_and_key();
    assert!(account.starts_with("acc_") && key.starts_with("service_"), "{account}");
    let accounts = site.say(&["account", "list"]);
    assert!(accounts.contains(&account) && accounts.contains("Lupita"), "{accounts}");

    let mut wire = server.wire(&key);
    let mut ask = || wire.send("GET", "/api/v1/products", &[], None).unwrap().status;
    assert_eq!(ask(), 200);

    let keys = site.say(&["key", "list", "--account", &account]);
    let row = keys.lines().find(|line| line.contains("Web")).unwrap();
    assert!(row.contains("live") && row.contains(&key[key.len() - 4..]), "{row}");
    assert!(!keys.contains(&key), "a key is shown once");

    let id = row.split(' ').next().unwrap();
    assert!(site.say(&["key", "revoke", id]).contains("revoked"));
    assert_refused_soon(ask);
    assert!(site.say(&["key", "list", "--account", &account]).contains("revoked"));

    let again = site.run(&["key", "revoke", id]);
    assert_eq!(again.code, Some(1), "{}", again.err);
    assert!(again.err.contains("already revoked"), "{}", again.err);
    let nobody = "acc_01JD3V9QK4W8N2RZ6T5B7C0XEA";
    let lost = site.run(&["key", "create", "--account", nobody, "--name", "a", "--scopes", "*"]);
    assert_eq!((lost.code, lost.out.as_str()), (Some(1), ""), "{}", lost.err);
    assert!(lost.err.contains("trastienda account list"), "{}", lost.err);
}

fn users_are_made_beside_a_running_service(kind: DatabaseKind) {
    let site = Site::new(kind);
    let server = site.serve(&[]);
    let _ = server.out.find(|line| line.contains("/panel/setup/"));
    let (account, _) = site.account_and_key();
    let add = |email: &'static str| {
        vec!["users", "add", email, "--account", &account, "--name", "Ana Ruiz", "--role", "owner"]
    };
    let link = site.say(&add("Ana@example.com"));
    assert!(link.starts_with("http://") && link.contains("/panel/reset/"), "{link}");
    let again = site.run(&add("ana@example.com"));
    assert_eq!((again.code, again.out.as_str()), (Some(1), ""), "{}", again.err);
    assert!(again.err.contains("Ana Ruiz") && again.err.contains("--existing"), "{}", again.err);
    let (other, _) = site.account_and_key();
    let of_other = ["--account", &other, "--name", "A", "--role", "sales"];
    let join = [&["users", "add", "ana@example.com"][..], &of_other, &["--existing"]].concat();
    // No link: they sign in as before.
    assert_eq!(site.say(&join), "");
    let users = site.say(&["users", "list"]);
    let row = users.lines().find(|line| line.contains("ana@example.com")).unwrap();
    assert!(row.contains(&format!("{account} owner")), "{row}");
    assert!(row.contains(&format!("{other} sales")), "{row}");

    let reset = site.say(&["users", "reset-password", "ana@example.com"]);
    assert!(reset.contains("/panel/reset/") && reset != link, "{reset}");
    let nobody = site.run(&["users", "reset-password", "eva@example.com"]);
    assert_eq!(nobody.code, Some(1));
    assert!(nobody.err.contains("trastienda users list"), "{}", nobody.err);
    // There is a user already, so an account has to be named.
    let unnamed = site.run(&["users", "setup-link"]);
    assert_eq!(unnamed.code, Some(1));
    assert!(unnamed.err.contains("--account"), "{}", unnamed.err);
    let set_up = site.say(&["users", "setup-link", "--account", &account]);
    assert!(set_up.contains("/panel/setup/"), "{set_up}");
    let wrong =
        ["users", "add", "a@example.com", "--account", &account, "--name", "A", "--role", "boss"];
    assert_eq!(site.run(&wrong).code, Some(2));
    let log = server.log.all().join("\n");
    let token = |link: &str| link.rsplit('/').next().unwrap().to_owned();
    assert!(!log.contains(&token(&link)) && !log.contains(&token(&reset)), "{log}");
}

fn credits_are_granted_beside_a_running_service(kind: DatabaseKind) {
    let site = Site::new(kind);
    let server = site.serve(&[]);
    let (account, key) = site.account_and_key();
    let seen = || server.ask(&key, "GET", "/credits", None).json()["available"].clone();
    assert_eq!(seen(), 0);
    let shown = site.say(&["credits", "show", "--account", &account]);
    assert_eq!(shown, format!("{account}  available 0  reserved 0"));
    let grant = ["credits", "grant", "250", "--account", &account, "--note", "Paquete 250"];
    let granted = site.say(&grant);
    assert!(granted.starts_with("cre_") && granted.contains("250 credits granted"), "{granted}");
    assert!(granted.ends_with(&format!("{account}  available 250  reserved 0")), "{granted}");
    assert_eq!(seen(), 250);
    let _ = site.say(&["credits", "grant", "1", "--account", &account]);
    assert_eq!(seen(), 251);
    let ledger = server.ask(&key, "GET", "/credits/ledger", None).json();
    let notes: Vec<_> =
        ledger["data"].as_array().unwrap().iter().map(|entry| &entry["note"]).collect();
    assert_eq!(notes, [&Value::Null, &json!("Paquete 250")]);

    for amount in ["0", "-5", "1.5", "many", "1000000001"] {
        let amount = format!("--account={account} {amount}");
        let arguments: Vec<&str> =
            ["credits", "grant"].into_iter().chain(amount.split(' ')).collect();
        assert_eq!(site.run(&arguments).code, Some(2), "{amount}");
    }
    let nobody = "acc_01JD3V9QK4W8N2RZ6T5B7C0XEA";
    let lost = site.run(&["credits", "grant", "10", "--account", nobody]);
    assert_eq!((lost.code, lost.out.as_str()), (Some(1), ""), "{}", lost.err);
    assert!(lost.err.contains("trastienda account list"), "{}", lost.err);
    assert_eq!(seen(), 251);
}

#[test]
fn variables_are_not_left_out_without_a_word() {
    let site = Site::bare();
    for (name, value, part) in [
        (
            "TRASTIENDA_DATABSE_URL",
            "postgres://db/shop",
            "TRASTIENDA_DATABSE_URL (environment) is not",
        ),
        ("TRASTIENDA_DATABASE_URL", "", "TRASTIENDA_DATABASE_URL) is empty"),
    ] {
        let mut command = site.command(&["config"]);
        command.env(name, value);
        let said = Said::by(command);
        assert_eq!(said.code, Some(2), "{}", said.err);
        assert!(said.err.contains(part), "{}", said.err);
    }
    let mut command = site.command(&["key", "create"]);
    command.env("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt");
    let said = Said::by(command);
    assert!(said.err.contains("--account <ID>") && !said.err.contains("--ca-file"), "{}", said.err);
}

fn an_empty_database_says_what_to_do_next(kind: DatabaseKind) {
    let site = Site::new(kind);
    let server = site.serve(&[]);
    let create = server.out.find(|line| line.starts_with("trastienda account create"));
    let words: Vec<&str> = create.split('\'').collect();
    let account = site.say(&["account", "create", words[1]]);
    let account = account.split_whitespace().next().unwrap();
    let key = server.out.find(|line| line.starts_with("trastienda key create"));
    assert_eq!(key, "trastienda key create --account acc_... --name 'My key' --scopes '*'");
    let key =
        site.say(&["key", "create", "--account", account, "--name", "My key", "--scopes", "*"]);
    let key = key.split_whitespace().find(|word| word.starts_with("service_")).unwrap();
    assert_eq!(server.ask(key, "GET", "/products", None).status, 200);
    assert!(server.out.find(|line| line.starts_with("API docs:")).ends_with("/docs"));
    drop(server);
    let again = site.serve(&[]);
    again.logged("ready");
    assert!(!again.out.all().iter().any(|line| line.contains("account create")));
}

/// Printed commands work on the database of the service that prints them, wherever that is.
#[test]
fn printed_commands_work_as_they_stand() {
    let site = Site::bare();
    let elsewhere = ["--data-dir", "my shop", "--brand", "tienda"];
    let server = site.serve(&elsewhere);
    let create = server.out.find(|line| line.starts_with("trastienda account create"));
    let key = server.out.find(|line| line.starts_with("trastienda key create"));
    let typed = |line: &str| {
        let program = env!("CARGO_BIN_EXE_trastienda");
        let said = Said::by(site.shell(&line.replacen("trastienda", program, 1)));
        assert_eq!(said.code, Some(0), "{}", said.err);
        said
    };
    let made = typed(&create);
    let account = made.out.split_whitespace().next().unwrap().to_owned();
    let next = made.err.lines().find_map(|line| line.strip_prefix("Next: ")).unwrap().to_owned();
    for line in [key.replace("acc_...", &account), next] {
        let made = typed(&line).out;
        let key = made.split_whitespace().next().unwrap();
        assert_eq!(server.ask(key, "GET", "/products", None).status, 200, "{line}");
    }
}

/// Whoever copies the commands of the README has a key for all that it takes to sell.
#[test]
fn the_key_of_the_readme_takes_an_order() {
    let readme = include_str!("../../../../../README.md");
    let is_live = |line: &&str| line.contains("key create") && !line.contains("--test");
    let command = readme.lines().find(is_live).unwrap();
    let scopes = command.split_whitespace().skip_while(|word| *word != "--scopes").nth(1).unwrap();
    let site = Site::new(DatabaseKind::Sqlite);
    let account = site.say(&["account", "create", "Flores del Sur"]);
    let account = account.split(' ').next().unwrap();
    let key = ["key", "create", "--account", account, "--name", "web", "--scopes", scopes];
    let key = site.say(&key);
    let key = key.lines().next().unwrap();
    let server = site.serve(&[]);
    let (order, _) = stocked(&server, key, 1);
    assert_eq!(server.ask(key, "POST", "/orders", Some(&order)).status, 201);
}

#[test]
fn a_file_is_served_by_one_process() {
    let site = Site::new(DatabaseKind::Sqlite);
    let mut first = site.serve(&[]);
    let second = site.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, Some(1), "{}", second.err);
    assert!(second.err.contains("another process serves the database file"), "{}", second.err);
    // Commands work beside it, and the lock ends with its process, however that ends.
    let _ = site.say(&["account", "list"]);
    first.kill();
    let third = site.serve(&[]);
    third.logged("ready");
}

fn payments_are_reconciled_beside_a_running_service(kind: DatabaseKind) {
    let site = Site::new(kind);
    let server = site.serve(&[]);
    let (live, _) = site.account_and_key();
    let key = site.test_key(&live);
    let body = json!({"method": "card", "amount": 100, "currency": "MXN"});
    let paid = server.ask(&key, "POST", "/payments", Some(&body)).json();
    let (payment, made) = (paid["id"].as_str().unwrap(), paid["createdAt"].as_str().unwrap());
    let accounts = site.say(&["account", "list"]);
    let test = accounts.lines().find(|line| line.contains(&format!("test of {live}"))).unwrap();
    let test = test.split(' ').next().unwrap();
    let made = Timestamp::parse(made).unwrap();
    let (from, to) = (made.plus_seconds(-60).to_string(), made.plus_seconds(60).to_string());
    let reconcile = ["payments", "reconcile", "--account", test, "--from", &from, "--to", &to];
    let same = site.say(&reconcile);
    let lines: Vec<&str> = same.lines().collect();
    assert!(lines[0].starts_with("OUTCOME") && lines[1].starts_with("matched"), "{same}");
    assert!(lines[1].contains(payment) && lines[1].contains("paid 100 MXN, 0 refunded"), "{same}");
    assert!(
        lines[3].starts_with("MXN") && lines[3].contains("1: 100 captured, 0 refunded"),
        "{same}"
    );
    let database = site.database.as_ref().unwrap();
    database.execute(&format!("UPDATE payments SET captured = 1000000 WHERE id = '{payment}'"));
    let said = site.run(&reconcile);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("\ndifferent ") && said.out.contains("  captured\n"), "{}", said.out);
    assert!(said.err.contains("1 of 1 payments differ"), "{}", said.err);
    let nobody = "acc_01JD3V9QK4W8N2RZ6T5B7C0XEA";
    let lost =
        site.run(&["payments", "reconcile", "--account", nobody, "--from", &from, "--to", &to]);
    assert!(lost.code == Some(1) && lost.err.contains("no account"), "{}", lost.err);
    let never =
        site.run(&["payments", "reconcile", "--account", test, "--from", &to, "--to", &from]);
    assert!(never.code == Some(1) && never.err.contains("later than from"), "{}", never.err);
}
