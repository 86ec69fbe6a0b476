//! The log of requests: what keys asked for, and what they were answered.

use std::collections::BTreeMap;

use accounts::{Access, ApiKeyId, ApiKeyQuery, Area, LoggedRequest, RequestQuery, Right};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use kernel::{
    Day, PageRequest,
    page::{Count, LIMIT_MAX},
};

use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{grouped, moment},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{Empty, Moment, Pager, Pill, Tone},
    reply::answered,
    texts::Say,
};

const READ: Right = Right::of(Area::Audit, Access::Read);
const PATH: &str = "requests";
const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
/// A status from which on a request has failed by whoever made it.
const REFUSED: u16 = 400;

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show)
            .listed(Group::Develop, "arrow-left-right", Say::requests)
            .key("x"),
    ]
}

#[derive(Template)]
#[template(path = "requests/list.html", whitespace = "minimize")]
struct Listed<'a> {
    say: Say,
    path: String,
    query: &'a Values,
    keys: Vec<(String, String, bool)>,
    methods: Vec<(&'static str, bool)>,
    is_filtered: bool,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
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
    let zone = call.zone().await?;
    let names = names_of_keys(&call).await?;
    let query = asked(&call.query, zone);
    let is_filtered =
        RequestQuery { page: PageRequest::default(), ..query.clone() } != RequestQuery::default();
    let (key, method) = (query.key, query.method.clone());
    let listed = answered(services.request_log.requests(account, query)).await?;
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let of = |request: LoggedRequest| line(&call, request, &names, zone);
    let lines: Vec<_> = listed.items.into_iter().map(of).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::new(say.no_matches()).action(say.clear_filters(), call.href(PATH)),
        false => Empty::new(say.no_requests()),
    });
    let of_key =
        |(id, name): (&ApiKeyId, &String)| (id.to_string(), name.clone(), key == Some(*id));
    let body = Listed {
        say,
        path: call.href(PATH),
        query: &call.query,
        keys: names.iter().map(of_key).collect(),
        methods: METHODS.iter().map(|name| (*name, method.as_deref() == Some(*name))).collect(),
        is_filtered,
        lines,
        empty,
        pager,
    };
    Ok(call.page(Sheet::new(say.requests(), &body)))
}

/// Which requests a query asks for. What cannot be read of it is left out, and its field shows what was typed.
fn asked(query: &Values, zone: Zone) -> RequestQuery {
    let day = |name: &str| query.filled(name).and_then(Day::parse);
    RequestQuery {
        page: list::asked(query),
        key: query.filled("key").and_then(ApiKeyId::parse),
        method: query.filled("method").map(str::to_owned),
        has_failed: query.has("failed"),
        from: day("from").map(|day| zone.utc(day.date().midnight())),
        to: day("to").map(|day| zone.end(day)),
        ..RequestQuery::default()
    }
}

/// What the account's keys are called, the newest of them.
async fn names_of_keys(call: &Call<Member>) -> Result<BTreeMap<ApiKeyId, String>, Failure> {
    let page = PageRequest { limit: LIMIT_MAX, count: Count::Nothing, ..PageRequest::default() };
    let query = ApiKeyQuery { page, mode: None, active: None };
    let account = call.account();
    let keys = answered(call.services().api_keys.api_keys(account, query, call.now())).await?;
    let own = keys.items.into_iter().filter(|key| key.account == account);
    Ok(own.map(|key| (key.id, key.name)).collect())
}

fn line(
    call: &Call<Member>,
    LoggedRequest { line, .. }: LoggedRequest,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_it_took_is_readable() {
        assert_eq!(milliseconds(1_840), "1.8 ms");
        assert_eq!(milliseconds(90), "0.0 ms");
        assert_eq!(milliseconds(30_000_000), "30,000.0 ms");
    }
}
