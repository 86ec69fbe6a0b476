//! The log of requests: what keys asked for, and what they were answered.

use std::collections::BTreeMap;

use accounts::{
    Access, ApiKeyId, ApiKeyQuery, Area, LoggedRequest, RequestLineId, RequestQuery, Right,
};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use kernel::{
    PageRequest,
    page::{Count, LIMIT_MAX},
};

use super::linked::page_of;
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::{grouped, moment},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{Empty, Field, Filters, Moment, Pager, Pill, Tone},
    reply::{answered, found},
    texts::Say,
};

const READ: Right = Right::of(Area::Audit, Access::Read);
const PATH: &str = "requests";
const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
/// A status from which on a request has failed by whoever made it.
const REFUSED: u16 = 400;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show)
            .listed(Group::Develop, "arrow-left-right", Say::requests)
            .key("x")
            .list(),
        Page::get("requests.csv", READ, table),
        Page::get("requests/{id}", READ, detail),
    ]
}

#[derive(Template)]
#[template(path = "requests/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    /// Where it is shown.
    href: String,
    method: String,
    route: String,
    ids: Option<String>,
    /// How many it stands for, if several.
    count: Option<String>,
    answer: Pill,
    request_id: Option<String>,
    took: String,
    key: String,
    network: Option<String>,
    at: Moment,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    // What other nodes have noted follows within a second.
    drop(services.request_log.write_down().await);
    let zone = call.zone();
    let names = names_of_keys(&call).await?;
    let query = asked(&call.query, zone);
    let is_filtered =
        RequestQuery { page: PageRequest::default(), ..query.clone() } != RequestQuery::default();
    let listed = answered(services.request_log.requests(account, query)).await?;
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let total = list::counted(say, listed.total);
    let of = |request: LoggedRequest| line(&call, request, &names, zone);
    let lines: Vec<_> = listed.items.into_iter().map(of).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, call.href(PATH)),
        false => Empty::new(say.no_requests()),
    });
    let query = &call.query;
    let every = (String::new(), say.every().to_owned());
    let keys = names.iter().map(|(id, name)| (id.to_string(), name.clone()));
    let keys =
        Field::select("key", say.api_key(), std::iter::once(every).chain(keys).collect(), query);
    let of_key = |_: &'static str, value: &str| {
        let name = ApiKeyId::parse(value).and_then(|id| names.get(&id).cloned());
        Some(format!("{}: {}", say.api_key(), name.unwrap_or_else(|| value.to_owned())))
    };
    let methods: Vec<_> = METHODS.iter().map(|name| (*name, *name)).collect();
    let failed = Field::tick("failed", say.only_failures(), query);
    let filters = Filters::without_words(say, call.href(PATH), query, total)
        .add(say.api_key(), query, vec![("key", keys)], of_key)
        .choice(query, ("method", say.http_method()), &methods)
        .days(query)
        .add(say.only_failures(), query, vec![("failed", failed)], |_, _| {
            Some(say.only_failures().to_owned())
        });
    let body = Listed { say, filters, lines, empty, pager };
    Ok(call.page(Sheet::new(say.requests(), &body)))
}

/// Which requests a query asks for. What cannot be read of it is left out, and its field shows what was typed.
fn asked(query: &Values, zone: Zone) -> RequestQuery {
    let (from, to) = list::days(query, zone);
    RequestQuery {
        page: list::asked(query),
        key: query.read("key", ApiKeyId::parse),
        method: query.filled("method").map(str::to_owned),
        has_failed: query.has("failed"),
        from,
        to,
        ..RequestQuery::default()
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    drop(call.services().request_log.write_down().await);
    let (say, zone) = (call.say(), call.zone());
    let names = names_of_keys(&call).await?;
    let query = asked(&call.query, zone);
    let table = Table::new(move |services, account, page| {
        services.request_log.requests(account, RequestQuery { page, ..query.clone() })
    })
    .moment(say.date(), zone, |request: &LoggedRequest| request.line.created_at)
    .column(say.request(), |request| format!("{} {}", request.line.method, request.line.route))
    .optional(say.identifiers(), |request| request.line.ids.clone())
    .column(say.answer(), |request| request.line.status.to_string())
    .optional(say.code(), |request| request.line.code.clone())
    .column(say.how_often(), |request| request.line.count.to_string())
    .column(format!("{} (ms)", say.took()), |request| exactly(request.line.micros))
    .column(csv::id_of(say.api_key()), |request| request.line.key.to_string())
    .optional(say.api_key(), move |request| names.get(&request.line.key).cloned())
    .optional(csv::id_of(say.request()), |request| request.line.request_id.clone())
    .optional(say.network(), |request| request.line.network.clone());
    csv::sent(&call, "requests.csv", table)
}

/// What the account's keys are called, the newest of them.
pub(super) async fn names_of_keys(
    call: &Call<Member>,
) -> Result<BTreeMap<ApiKeyId, String>, Failure> {
    let page = PageRequest { limit: LIMIT_MAX, count: Count::Nothing, ..PageRequest::default() };
    let query = ApiKeyQuery { page, mode: None, active: None };
    let account = call.account();
    let keys = answered(call.services().api_keys.api_keys(account, query, call.now())).await?;
    let own = keys.items.into_iter().filter(|key| key.account == account);
    Ok(own.map(|key| (key.id, key.name)).collect())
}

fn line(
    call: &Call<Member>,
    LoggedRequest { id, line }: LoggedRequest,
    names: &BTreeMap<ApiKeyId, String>,
    zone: Zone,
) -> Line {
    let say = call.say();
    let is_several = line.count > 1;
    let took = milliseconds(line.micros);
    let answer = match &line.code {
        Some(code) => format!("{} {code}", line.status),
        None => line.status.to_string(),
    };
    Line {
        href: format!("{}/{id}", call.href(PATH)),
        method: line.method,
        route: line.route,
        ids: line.ids,
        count: is_several.then(|| say.times(&grouped(line.count))),
        answer: Pill::new(tone(line.status), answer),
        request_id: line.request_id,
        took: if is_several { say.on_average(&took) } else { took },
        key: names.get(&line.key).cloned().unwrap_or_else(|| line.key.to_string()),
        network: line.network,
        at: moment(line.created_at, zone, call.language),
    }
}

#[derive(Template)]
#[template(path = "requests/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    facts: Vec<(&'static str, String)>,
    /// What the path names, each with its page where it has one.
    ids: Vec<(String, Option<String>)>,
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let id = RequestLineId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let LoggedRequest { line, .. } = found(services.request_log.request(account, id)).await?;
    let zone = call.zone();
    let names = names_of_keys(&call).await?;
    let key = names.get(&line.key).cloned().unwrap_or_else(|| line.key.to_string());
    let took = milliseconds(line.micros);
    let mut facts = vec![(say.date(), moment(line.created_at, zone, call.language).text)];
    facts.push((say.api_key(), key));
    if line.count > 1 {
        facts.push((say.request(), say.times(&grouped(line.count))));
        facts.push((say.took(), say.on_average(&took)));
    } else {
        facts.push((say.took(), took));
    }
    facts.extend(line.network.map(|network| (say.network(), network)));
    facts.extend(line.request_id.map(|id| ("X-Request-ID", id)));
    let answer = match &line.code {
        Some(code) => format!("{} {code}", line.status),
        None => line.status.to_string(),
    };
    let ids = line.ids.as_deref().unwrap_or_default().split_whitespace();
    let ids = ids.map(|id| (id.to_owned(), page_of(&call, id))).collect();
    let title = format!("{} {}", line.method, line.route);
    let sheet = Sheet::new(title, &Detail { say, facts, ids });
    let sheet = sheet.pill(Pill::new(tone(line.status), answer));
    let others = format!("{}?key={}", call.href(PATH), line.key);
    let sheet = sheet.quiet(say.requests_of_key(), others);
    Ok(call.page(sheet.back(say.requests(), call.href(PATH))))
}

const fn tone(status: u16) -> Tone {
    match status {
        ..REFUSED => Tone::Good,
        REFUSED..500 => Tone::Waiting,
        500.. => Tone::Bad,
    }
}

/// Microseconds in milliseconds, the tenth counted: `1.8 ms`.
fn milliseconds(micros: u64) -> String {
    format!("{}.{} ms", grouped(micros / 1_000), micros % 1_000 / 100)
}

/// The same to the last digit, for a spreadsheet: `1.840`.
fn exactly(micros: u64) -> String {
    format!("{}.{:03}", micros / 1_000, micros % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_it_took_is_readable() {
        assert_eq!(milliseconds(1_840), "1.8 ms");
        assert_eq!(milliseconds(90), "0.0 ms");
        assert_eq!(milliseconds(30_000_000), "30,000.0 ms");
        assert_eq!((exactly(1_840).as_str(), exactly(30_000_007).as_str()), ("1.840", "30000.007"));
    }
}
