//! The commands in the documentation work as they stand there.

use std::{env, fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use serde_json::{Value, json};
use testkit::{DatabaseKind, invoicing, on_both};

use super::program::{Said, Server, Site};

on_both!(
    documented_commands_work_as_they_stand,
    the_morning_is_as_it_is_told,
    money_goes_as_it_is_told,
    a_week_goes_as_it_is_told,
);

const README: &str = include_str!("../../../../../README.md");
const IMPORTS: &str = include_str!("../../../../../docs/imports.md");
const INVOICES: &str = include_str!("../../../../../docs/invoices.md");
const PAYMENTS: &str = include_str!("../../../../../docs/payments.md");
const WEBHOOKS: &str = include_str!("../../../../../docs/webhooks.md");
const API_KEYS: &str = include_str!("../../../../../docs/api-keys.md");
const APPROVALS: &str = include_str!("../../../../../docs/approvals.md");
const DEALS: &str = include_str!("../../../../../docs/deals.md");
const CATALOG: &str = include_str!("../../../../../docs/catalog.md");
const STOCK: &str = include_str!("../../../../../docs/stock.md");
const OPERATION: &str = include_str!("../../../../../docs/operation.md");

/// How commands begin that are not run here, and why.
const NOT_RUN: [(&str, &str); 6] = [
    ("cargo xtask", "it lists its tasks, and runs this test"),
    ("cargo run -p webhooks --example receiver", "receivers::, all of them"),
    ("node docs/receivers/", "receivers::"),
    ("python3 docs/receivers/", "receivers::"),
    ("php -S", "receivers::"),
    ("docker ", "needs a daemon"),
];

/// How the names of pages begin whose commands are not followed here, and why.
const NOT_FOLLOWED: [(&str, &str); 4] = [
    ("morning", "the_morning_is_as_it_is_told"),
    ("money", "money_goes_as_it_is_told"),
    ("shop", "a_week_goes_as_it_is_told"),
    ("panel", "it shows what `trastienda serve` writes"),
];

/// What the text after a simulated fault says to do.
const WITHOUT_SIMULATION: &str = r#"
curl -sS -X PUT "$B/invoices/cfdi/provider" -H "Authorization: Bearer $K" -H 'Content-Type: application/json' -d '{"provider":"sandbox"}'
"#;

/// Commands that a system runs as its administrator; they are read for the files that they name.
const OF_ROOT: [&str; 2] = ["install ", "systemctl "];

/// Whether a program that the documentation takes for granted is not there, which is told.
fn lacks(programs: &[&str]) -> bool {
    let is_there = |program: &&&str| {
        Command::new(program).arg("--version").output().is_ok_and(|it| it.status.success())
    };
    let missing = programs.iter().find(|program| !is_there(program));
    if let Some(program) = missing {
        eprintln!("SKIPPED: the documentation was not tried, there is no `{program}` here");
    }
    missing.is_some()
}

/// The commands of a document, those of several lines joined as a shell does.
fn commands(document: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let (mut in_block, mut goes_on) = (false, false);
    for line in document.lines().map(str::trim) {
        match line.strip_prefix("```") {
            Some(kind) => (in_block, goes_on) = (kind == "console", false),
            None if !in_block => {}
            None => {
                let begun = line.strip_prefix("$ ").or(line.strip_prefix("# "));
                match (begun, goes_on) {
                    (Some(begun), false) => commands.push(begun.to_owned()),
                    (_, true) => {
                        let command = commands.last_mut().unwrap();
                        command.push('\n');
                        command.push_str(line);
                    }
                    (None, false) => continue,
                }
                goes_on = line.ends_with('\\');
            }
        }
    }
    assert!(!commands.is_empty());
    commands
}

/// What is typed instead, where a command would serve until it is stopped: the same settings, shown.
fn shown(command: &str) -> String {
    let command = command.replace("cargo run --release -- serve --demo", "trastienda serve");
    command.replace("trastienda serve", "trastienda config")
}

/// A shop that is served, and a shell beside it.
struct Shop {
    site: Site,
    server: Server,
    account: String,
    key: String,
}

impl Shop {
    fn open(kind: DatabaseKind) -> Self {
        let site = Site::new(kind);
        let (account, _) = site.account_and_key();
        let key = site.test_key(&account);
        let server = site.serve(&["--allow-local-endpoints", "true"]);
        let tools = site.folder.path().join("bin");
        fs::create_dir(&tools).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_trastienda"), tools.join("trastienda"))
            .unwrap();
        // A refusal is no success.
        let curl = "#!/bin/sh\nPATH=\"${PATH#*:}\" exec curl --fail-with-body \"$@\"\n";
        fs::write(tools.join("curl"), curl).unwrap();
        fs::set_permissions(tools.join("curl"), PermissionsExt::from_mode(0o755)).unwrap();
        let (certificate, private_key) = invoicing::COMPANY;
        fs::write(site.folder.path().join("csd.cer"), certificate).unwrap();
        fs::write(site.folder.path().join("csd.key"), private_key).unwrap();
        Self { site, server, account, key }
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.server.ask(&self.key, "POST", path, Some(body));
        assert_eq!(answer.status, 201, "{path}");
        answer.json()
    }

    fn id(made: &Value) -> String {
        made["id"].as_str().unwrap().to_owned()
    }

    /// Runs the commands of a document in one shell, with what its placeholders stand for.
    fn follow(&self, document: &str, stands_for: &[(&str, &str)]) {
        let mut script = String::from("set -euo pipefail\n");
        for command in commands(document) {
            if NOT_RUN.iter().any(|(start, _)| command.starts_with(start)) {
                continue;
            }
            if OF_ROOT.iter().any(|start| command.starts_with(start)) {
                for file in command.split(' ').filter(|word| word.starts_with("deploy/")) {
                    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
                    assert!(root.join(file).is_file(), "{command}");
                }
                continue;
            }
            let mut command = shown(&command);
            for (placeholder, value) in stands_for {
                command = command.replace(placeholder, value);
            }
            assert!(!command.contains('…'), "what stands for … in {command}?");
            // Settings hold for their own command.
            let set = command.starts_with("export ");
            script.push_str(&if set { format!("({command})\n") } else { format!("{command}\n") });
            if command.contains("\"simulate\"") {
                script.push_str(WITHOUT_SIMULATION);
            }
        }
        let said = self.shell(&script);
        assert_eq!(said.code, Some(0), "{script}\n{}\n{}", said.out, said.err);
    }

    fn shell(&self, script: &str) -> Said {
        let base = format!("http://{}/api/v1", self.server.addr);
        let mut shell = self.site.shell(script);
        let tools = self.site.folder.path().join("bin");
        let path = format!("{}:{}", tools.display(), env::var("PATH").unwrap());
        shell.env("PATH", path);
        for name in ["B", "BASE"] {
            shell.env(name, &base);
        }
        for name in ["K", "KEY"] {
            shell.env(name, &self.key);
        }
        Said::by(shell)
    }
}

fn documented_commands_work_as_they_stand(kind: DatabaseKind) {
    if lacks(&["bash", "curl"]) {
        return;
    }
    let shop = Shop::open(kind);
    let account = ("acc_…", shop.account.as_str());
    shop.follow(README, &[account]);
    let product = shop.post("/products", &json!({"name": "Taza", "price": 10, "inventory": 9}));
    let customer = json!({"name": "Xochilt Casas", "rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
        "taxRegime": "612", "taxZip": "42501", "cfdiUse": "G03"});
    let customer = shop.post("/customers", &customer);
    let items = json!([{"productId": product["id"], "quantity": 1}]);
    let order = json!({"customerId": customer["id"], "items": items});
    let order = Shop::id(&shop.post("/orders", &order));
    let password = format!("password\\\":\\\"{}", invoicing::PASSWORD);
    let password = ("password\\\":\\\"…", password.as_str());
    let (product, customer) = (Shop::id(&product), Shop::id(&customer));
    let sale = json!({"type": "I", "customerId": customer, "paymentForm": "01", "stamp": true,
        "items": [{"productId": product, "quantity": 1}]});
    // The account of a test key can invoice from the start.
    let stamped = Shop::id(&shop.post("/invoices", &sale));
    let withheld = json!({"code": "25", "description": "Cinco al millar", "customerId": customer,
        "period": {"firstMonth": 1, "lastMonth": 1, "year": year()}, "totals": {"taxed": 10}});
    let withheld = Shop::id(&shop.post("/withholdings", &withheld));
    let named = [
        account,
        ("inv_…", &stamped),
        ("wth_…", &withheld),
        ("ord_…", &order),
        ("cus_…", &customer),
        ("prd_…", &product),
        password,
    ];
    shop.follow(IMPORTS, &named);
    shop.follow(INVOICES, &named);
    shop.follow(PAYMENTS, &[account]);
    shop.follow(APPROVALS, &named);
    shop.follow(DEALS, &named);
    shop.follow(OPERATION, &[("trastienda tasks show tsk_…", "trastienda tasks list")]);
    shop.follow(STOCK, &[account]);
    shop.follow(CATALOG, &[account]);
    shop.follow(API_KEYS, &[account]);
    let webhook = json!({"url": "http://127.0.0.1:9000", "events": ["contact.created"]});
    let webhook = Shop::id(&shop.post("/webhooks", &webhook));
    shop.follow(WEBHOOKS, &[("whk_…", &webhook), ("whsec_…", "whsec_AAAA")]);
}

#[test]
fn no_page_with_commands_is_left_out() {
    let followed = [
        IMPORTS, INVOICES, PAYMENTS, WEBHOOKS, API_KEYS, APPROVALS, DEALS, CATALOG, STOCK,
        OPERATION,
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for page in fs::read_dir(folder).unwrap() {
        let page = page.unwrap();
        let name = page.file_name().into_string().unwrap();
        if !name.ends_with(".md") {
            continue;
        }
        let text = fs::read_to_string(page.path()).unwrap();
        let is_known = followed.contains(&text.as_str())
            || NOT_FOLLOWED.iter().any(|(start, _)| name.starts_with(start));
        assert!(is_known || !text.contains("```console"), "nobody runs the commands of {name}");
    }
}

/// The present year.
fn year() -> u16 {
    let now = kernel::Clock::now(&api::SystemClock).to_string();
    now[..4].parse().unwrap()
}

/// The lines of a text without what is different each time, sorted: headers come in any order.
fn lasting(text: &str) -> Vec<String> {
    let is_lasting =
        |line: &&str| !line.starts_with("ratelimit-remaining") && !line.contains("\"nextCursor\"");
    let mut lines: Vec<String> = text.lines().filter(is_lasting).map(masked).collect();
    lines.sort();
    lines
}

/// A line without identifiers, times and the parts of entity tags.
fn masked(line: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '-');
    let mask = |word: &str| {
        let is_id = word.split_once('_').is_some_and(|(_, rest)| rest.len() == 26);
        let is_time = word.ends_with('Z') && word.contains(':');
        let is_tag = word
            .rsplit_once('-')
            .is_some_and(|(_, end)| end.len() == 8 && end.chars().all(|c| c.is_ascii_hexdigit()));
        if is_id || is_time || is_tag { "·".to_owned() } else { word.to_owned() }
    };
    let mut masked = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_part) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        masked.push_str(before);
        masked.push_str(&mask(word));
        rest = after;
    }
    masked + rest
}

fn the_morning_is_as_it_is_told(kind: DatabaseKind) {
    is_as_it_is_told(
        kind,
        "morning.sh",
        match kind {
            DatabaseKind::Sqlite => include_str!("../../../../../docs/morning.md"),
            DatabaseKind::Postgres => include_str!("../../../../../docs/morning-postgresql.md"),
        },
    );
}

fn money_goes_as_it_is_told(kind: DatabaseKind) {
    is_as_it_is_told(
        kind,
        "money.sh",
        match kind {
            DatabaseKind::Sqlite => include_str!("../../../../../docs/money.md"),
            DatabaseKind::Postgres => include_str!("../../../../../docs/money-postgresql.md"),
        },
    );
}

fn a_week_goes_as_it_is_told(kind: DatabaseKind) {
    is_as_it_is_told(
        kind,
        "shop.sh",
        match kind {
            DatabaseKind::Sqlite => include_str!("../../../../../docs/shop.md"),
            DatabaseKind::Postgres => include_str!("../../../../../docs/shop-postgresql.md"),
        },
    );
}

/// A script writes what is kept of what it wrote, but for what differs from run to run.
fn is_as_it_is_told(kind: DatabaseKind, script: &str, told: &str) {
    if lacks(&["bash", "curl", "python3"]) {
        return;
    }
    let site = Site::new(kind);
    let url = site.database.as_ref().unwrap().url.clone();
    let path = format!("{}/../../docs/{script}", env!("CARGO_MANIFEST_DIR"));
    let program = env!("CARGO_BIN_EXE_trastienda");
    let said = Said::by(site.shell(&format!("bash '{path}' '{program}' '{url}'")));
    assert_eq!(said.code, Some(0), "{}", said.err);
    let (is, told) = (lasting(&said.out), lasting(told));
    let new: Vec<_> = is.iter().filter(|line| !told.contains(line)).collect();
    let gone: Vec<_> = told.iter().filter(|line| !is.contains(line)).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "docs/{script} writes {new:#?} and no longer {gone:#?}"
    );
}
