//! Rows about the account panel: how long its pages take where there is much to list, and what they weigh.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

use anyhow::{Context, ensure};

use crate::benchmark::filled::Filled;
use crate::benchmark::line::{Goal, Line};
use crate::benchmark::stage::Stage;
use crate::http::Connection;
use crate::load::Tally;
use crate::service::panel_session::PanelSession;
use crate::statistics::Spread;

const WARM_UPS: usize = 5;
const ASKS: usize = 50;
/// Blocks of orders are so long.
const ROWS_MULTIPLE: u64 = 16;
const GOAL_MS: f64 = 20.0;
const HOME_GOAL_MS: f64 = 10.0;
const HTML_GOAL_KIB: f64 = 60.0;
const LATER_GOAL_KIB: f64 = 15.0;
const FIRST_GOAL_KIB: f64 = 100.0;
const QUERIES_GOAL: f64 = 12.0;
const ASSETS: &str = "/panel/assets/";

/// Every page of the navigation, and the first thing that each of them lists.
pub(crate) fn measure(
    stage: &Stage<'_>,
    metrics: SocketAddr,
    rows: u64,
) -> anyhow::Result<Vec<Line>> {
    Filled::load(stage, &stage.shop, rows / ROWS_MULTIPLE * ROWS_MULTIPLE)?;
    let session = PanelSession::open(&stage.options, stage.service.address())?;
    let account = session.account()?;
    let mut lines = Vec::new();
    let (mut html, mut later, mut queries) = (Vec::new(), Vec::new(), Vec::new());
    for path in pages(&session, &account)? {
        let plain = session.get(&format!("{path}?rows=50"), false)?;
        let packed = session.get(&path, true)?;
        let is_shown = plain.status == 200 && packed.status == 200;
        ensure!(is_shown, "{path} answers {} and {}", plain.status, packed.status);
        let sizes = [plain.body.len(), packed.bytes()].map(kib);
        let [html_kib, packed_kib] = sizes;
        html.push(html_kib);
        later.push(packed_kib);
        let before = statements(metrics)?;
        let mut line = time(stage, &session, (&account, &path), sizes)?;
        // What goes on beside is little, and no part of a page.
        let of_page = (statements(metrics)? - before) / u64::try_from(WARM_UPS + ASKS)?;
        if of_page > 0 {
            line.limit = line.limit.map(|sizes| format!("{sizes}, {of_page} queries"));
            queries.push(f64::from(u32::try_from(of_page)?));
        }
        lines.push(line);
    }
    let first = kib(first_visit(&session, &account)?);
    let name = stage.database.name();
    let most = |what: &str, values: &[f64], goal| {
        Line::absolute(what, name, Spread::of(values), "KiB", Goal::AtMost(goal))
    };
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    lines.push(most("panel: largest HTML, lists of 50 rows", &[largest(&html)], HTML_GOAL_KIB));
    lines.push(most("panel: largest later page, with gzip", &[largest(&later)], LATER_GOAL_KIB));
    if !queries.is_empty() {
        let goal = Goal::AtMost(QUERIES_GOAL);
        let most = Spread::of(&[largest(&queries)]);
        lines.push(Line::absolute("panel: most queries of a page", name, most, "queries", goal));
    }
    lines.push(most("panel: first visit with assets, with gzip", &[first], FIRST_GOAL_KIB));
    Ok(lines)
}

/// How long a page takes; its sizes stand where others have their limits.
fn time(
    stage: &Stage<'_>,
    session: &PanelSession,
    (account, path): (&str, &str),
    [html, packed]: [f64; 2],
) -> anyhow::Result<Line> {
    let is_home = path == account;
    let tally = stage.bench.runtime.block_on(ask(stage, session, path))?;
    let p95 = tally.latency(0.95).as_secs_f64() * 1e3;
    let goal = Goal::AtMost(if is_home { HOME_GOAL_MS } else { GOAL_MS });
    let shown = if is_home { "home" } else { kind(path.strip_prefix(account).unwrap_or(path)) };
    let what = format!("panel: p95 of {shown}");
    let line = Line::absolute(&what, stage.database.name(), Spread::of(&[p95]), "ms", goal);
    if let Some(fault) = tally.faults.first() {
        eprintln!("bench: {what} on {}: {fault}", line.database);
    }
    Ok(Line {
        latencies: Some([0.5, 0.99, 0.999].map(|share| tally.latency(share))),
        limit: Some(format!("{html:.1} KiB, {packed:.1} with gzip")),
        errors: tally.errors,
        ..line
    })
}

/// Asks again and again over one connection, as browsers do.
async fn ask(stage: &Stage<'_>, session: &PanelSession, path: &str) -> anyhow::Result<Tally> {
    let request = session.request(path);
    let mut connection = Connection::open(stage.service.address()).await?;
    let mut tally = Tally::new()?;
    for number in 0..WARM_UPS + ASKS {
        let began = Instant::now();
        let answer = connection.exchange(&request).await;
        let answer = answer.map_err(|lost| anyhow::anyhow!("{path}: {}", lost.0))?;
        let outcome = match answer.status {
            200 => Ok(false),
            status => Err(format!("{path} answers {status}")),
        };
        if number >= WARM_UPS {
            tally.record(outcome, began.elapsed());
        }
        if connection.closes() {
            connection = Connection::open(stage.service.address()).await?;
        }
    }
    Ok(tally)
}

/// The pages of the navigation, and one about something that each of them lists.
fn pages(session: &PanelSession, account: &str) -> anyhow::Result<Vec<String>> {
    let home = read(session, account)?;
    let (_, navigation) = home.split_once("<nav").context("a page without a navigation")?;
    let navigation = navigation.split("</nav>").next().unwrap_or_default();
    let mut pages = vec![account.to_owned()];
    for link in links(navigation).filter(|link| link.starts_with(account)) {
        if pages.contains(&link) {
            continue;
        }
        let listed = read(session, &link)?;
        let below = format!("{link}/");
        let about = links(&listed).find(|other| other.strip_prefix(&below).is_some_and(is_id));
        pages.push(link);
        pages.extend(about);
    }
    ensure!(pages.len() > 1, "the navigation of {account} leads nowhere");
    Ok(pages)
}

/// Bytes of a page and of all that it shows which is not on it.
fn first_visit(session: &PanelSession, account: &str) -> anyhow::Result<usize> {
    let mut bytes = session.get(account, true)?.bytes();
    let mut ahead: Vec<String> = assets(&read(session, account)?).collect();
    let mut seen = BTreeSet::new();
    while let Some(asset) = ahead.pop() {
        if !seen.insert(asset.clone()) {
            continue;
        }
        let packed = session.get(&asset, true)?;
        ensure!(packed.status == 200, "{asset} answers {}", packed.status);
        bytes += packed.bytes();
        if asset.ends_with(".css") {
            ahead.extend(assets(&read(session, &asset)?));
        }
    }
    Ok(bytes)
}

/// Statements that the service has sent so far; none on SQLite, where nobody counts them.
fn statements(metrics: SocketAddr) -> anyhow::Result<u64> {
    let mut stream = TcpStream::connect(metrics).context("the metrics are not served")?;
    stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n\r\n")?;
    let mut told = String::new();
    stream.read_to_string(&mut told)?;
    let counted = told.lines().find_map(|line| line.strip_prefix("store_statements_total "));
    // It is told as a number with decimals.
    let whole = counted.and_then(|count| count.trim().split('.').next()?.parse().ok());
    Ok(whole.unwrap_or_default())
}

fn read(session: &PanelSession, path: &str) -> anyhow::Result<String> {
    let shown = session.get(path, false)?;
    ensure!(shown.status == 200, "{path} answers {}", shown.status);
    Ok(shown.text())
}

/// Where the links of a page lead, without their queries.
fn links(html: &str) -> impl Iterator<Item = String> {
    let links = html.split(" href=\"").skip(1).filter_map(|part| part.split_once('"'));
    links.map(|(link, _)| link.split(['?', '#']).next().unwrap_or_default().to_owned())
}

/// Files that a page, or a sheet of style, names.
fn assets(text: &str) -> impl Iterator<Item = String> {
    let files = text.split(ASSETS).skip(1);
    let files = files.filter_map(|part| part.split(['"', '\'', ')', '#', '?', ' ']).next());
    files.map(|file| format!("{ASSETS}{file}"))
}

/// Whether this is an identifier, as `ord_01J…`.
fn is_id(part: &str) -> bool {
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    part.split_once('_')
        .is_some_and(|(kind, rest)| kind.len() == 3 && is_word(kind) && is_word(rest))
}

/// A path by what it is about, whichever of them it is.
fn kind(path: &str) -> &str {
    match path.rsplit_once('/') {
        // The same kind of page, one of them.
        Some((list, one)) if is_id(one) => path.get(..list.len() + 5).unwrap_or(path),
        _ => path,
    }
}

#[expect(clippy::cast_precision_loss, reason = "pages are small")]
fn kib(bytes: usize) -> f64 {
    bytes as f64 / 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_files_and_kinds_are_told_apart() {
        let html = r#"<a href="/panel/a/orders?x=1">1</a><link href="/panel/assets/p.0.css"><use href="/panel/assets/i.svg#x"/>"#;
        let found: Vec<String> = links(html).collect();
        assert_eq!(found, ["/panel/a/orders", "/panel/assets/p.0.css", "/panel/assets/i.svg"]);
        let found: Vec<String> = assets(html).collect();
        assert_eq!(found, ["/panel/assets/p.0.css", "/panel/assets/i.svg"]);
        let found: Vec<String> = assets("src:url(/panel/assets/f.woff2) format('woff2')").collect();
        assert_eq!(found, ["/panel/assets/f.woff2"]);
        assert!(
            is_id("ord_01J9Z") && !is_id("new") && !is_id("ord_1/ship") && !is_id("api_keys-x")
        );
        assert_eq!(kind("orders/ord_01J9Z"), "orders/ord_");
        assert_eq!((kind("orders"), kind("settings/api-keys")), ("orders", "settings/api-keys"));
    }
}
