//! API keys: listed, made, shown once, given another text, revoked.

mod make;

use accounts::{Access, ApiKey, ApiKeyId, ApiKeyQuery, Area, IssuedApiKey, Overlap, Right, Scope};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use intake::{
    Form,
    checks::{one_of, text},
    noun,
};
use kernel::{FieldFault, Mode, Timestamp, message};

use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::{grouped, moment},
    layout::Sheet,
    list,
    markup::Markup,
    page::{Group, Page},
    parts::{Asked, CopyField, Empty, Field, Moment, Pager, Pill, Tone},
    reply::{answered, carried_out, found, whole},
    texts::Say,
};

use super::refusals::api_keys as told;

const READ: Right = Right::of(Area::ApiKeys, Access::Read);
const WRITE: Right = Right::of(Area::ApiKeys, Access::Write);
const PATH: &str = "settings/api-keys";

const OVERLAP: Form<Overlap> = Form::body(
    "Rotation",
    noun("this form", "este formulario"),
    |fields| fields.required("overlap", one_of(Overlap::EVERY, Overlap::name)),
    "",
);
/// The name, as typed by whoever revokes.
const NAME: Form<String> = Form::body(
    "Revocation",
    noun("this form", "este formulario"),
    |fields| fields.required("name", text(|text| Ok(text.trim().to_owned()))),
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show).listed(Group::Settings, "key", Say::api_keys).key("3").list(),
        Page::get("settings/api-keys.csv", READ, table),
        Page::get("settings/api-keys/{id}/rotate", WRITE, ask_rotate).grave(),
        Page::post("settings/api-keys/{id}/rotate", WRITE, rotate).grave(),
        Page::get("settings/api-keys/{id}/revoke", WRITE, ask_revoke),
        Page::post("settings/api-keys/{id}/revoke", WRITE, revoke),
    ];
    [own, make::pages()].into_iter().flatten().collect()
}

#[derive(Template)]
#[template(path = "settings/api_keys.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
    ended: Option<String>,
}

struct Line {
    name: String,
    ending: String,
    scopes: String,
    /// What else bounds it, or lets it do more.
    notes: Vec<String>,
    state: Pill,
    mode: Option<Pill>,
    created: Moment,
    last_used: Option<Moment>,
    expires: Option<Moment>,
    /// Where it is rotated and revoked, while it opens anything.
    href: Option<String>,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let with_ended = call.query.has("ended");
    let query = asked(&call.query);
    let keys = answered(call.services().api_keys.api_keys(call.account(), query, call.now()));
    let keys = keys.await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &keys);
    let may_write = call.may(WRITE);
    let lines: Vec<_> =
        keys.items.into_iter().map(|key| line(&call, key, zone, may_write)).collect();
    let new = call.href("settings/api-keys/new");
    let empty = lines.is_empty().then(|| {
        let empty = Empty::new(say.no_api_keys());
        if may_write { empty.action(say.new_api_key(), new.clone()) } else { empty }
    });
    let ended = (!with_ended).then(|| format!("{}?ended=1", call.href(PATH)));
    let body = Listed { say, lines, empty, pager, ended };
    let sheet = Sheet::new(say.api_keys(), &body);
    Ok(call.page(if may_write { sheet.action(say.new_api_key(), new) } else { sheet }))
}

/// Which keys a query asks for: those that open something, unless it asks for all.
fn asked(query: &Values) -> ApiKeyQuery {
    let active = (!query.has("ended")).then_some(true);
    ApiKeyQuery { page: list::asked(query), mode: None, active }
}

/// All but their texts.
async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, now) = (call.say(), call.zone(), call.now());
    let query = asked(&call.query);
    let table = Table::new(move |services, account, page| {
        services.api_keys.api_keys(account, ApiKeyQuery { page, ..query.clone() }, now)
    })
    .column(say.identifier(), |key: &ApiKey| key.id.to_string())
    .column(csv::id_of(say.account()), |key| key.account.to_string())
    .column(say.name(), |key| key.name.clone())
    .column(say.ends_in(), |key| key.last4.clone())
    .column(say.scopes(), |key| key.scopes.list().join(", "))
    .moment(say.created(), zone, |key| key.created_at)
    .moment(say.last_used(), zone, |key| key.last_used_at)
    .moment(say.expires(), zone, |key| key.expires_at)
    .moment(say.key_revoked(), zone, |key| key.revoked_at);
    csv::sent(&call, "api-keys.csv", table)
}

fn line(call: &Call<Member>, key: ApiKey, zone: Zone, may_write: bool) -> Line {
    let say = call.say();
    let told = |at: Timestamp| moment(at, zone, call.language);
    let is_live = key.is_live(call.now());
    let state = match (is_live, key.revoked_at) {
        (true, _) => Pill::new(Tone::Good, say.key_live()),
        (false, Some(_)) => Pill::new(Tone::Bad, say.key_revoked()),
        (false, None) => Pill::new(Tone::Plain, say.key_expired()),
    };
    let is_test = key.account != call.account() || call.who.entry.account.mode() == Mode::Test;
    let href = format!("{}/{}", call.href(PATH), key.id);
    Line {
        ending: format!("…{}", key.last4),
        scopes: match key.scopes.list().join(", ").as_str() {
            make::EVERY => say.every_scope().to_owned(),
            some => some.to_owned(),
        },
        notes: notes(say, &key, call.now(), |at| told(at).text),
        state,
        mode: is_test.then(|| Pill::new(Tone::Plain, say.mode_test())),
        created: told(key.created_at),
        last_used: key.last_used_at.map(told),
        expires: key.expires_at.map(told),
        href: (is_live && may_write).then_some(href),
        name: key.name,
    }
}

/// What is worth telling of a key beside its scopes.
fn notes(
    say: Say,
    key: &ApiKey,
    now: Timestamp,
    told: impl Fn(Timestamp) -> String,
) -> Vec<String> {
    let rate = key.rate_per_hour.map(|rate| say.key_rate(&grouped(u64::from(rate))));
    let approves = key.may_approve.then(|| say.may_approve().to_owned());
    let before = key.previous_until.filter(|until| *until > now && key.is_live(now));
    let before = before.map(|until| say.old_text_until(&told(until)));
    rate.into_iter().chain(approves).chain(before).collect()
}

/// The key of the path.
async fn key(call: &Call<Member>) -> Result<ApiKey, Failure> {
    let id = ApiKeyId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().api_keys.api_key(call.account(), id)).await
}

async fn ask_rotate(call: Call<Member>) -> Result<Answer, Failure> {
    let key = key(&call).await?;
    Ok(rotation(&call, &key, &Values::with(&[("overlap", Overlap::Day.name())]), &[]))
}

/// How long the former text of a key still works.
pub(super) const fn overlap_name(say: Say, overlap: Overlap) -> &'static str {
    match overlap {
        Overlap::None => say.overlap_none(),
        Overlap::Hour => say.overlap_hour(),
        Overlap::Day => say.overlap_day(),
        Overlap::Week => say.overlap_week(),
    }
}

fn rotation(call: &Call<Member>, key: &ApiKey, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let choice =
        |overlap: &Overlap| (overlap.name().to_owned(), overlap_name(say, *overlap).to_owned());
    let choices = Overlap::EVERY.iter().map(choice).collect();
    let overlap = Field::select("overlap", say.overlap(), choices, values).hint(say.overlap_hint());
    let place = format!("{}/{}/rotate", call.href(PATH), key.id);
    let form = call.form(place, vec![overlap], say.rotate(), faults);
    let sheet = Sheet::new(say.rotate_title(&key.name), &form).wrong_if(!faults.is_empty());
    call.page(sheet.back(say.api_keys(), call.href(PATH)))
}

async fn rotate(call: Call<Member>) -> Result<Answer, Failure> {
    let key = key(&call).await?;
    let overlap = match call.read(&OVERLAP)? {
        Ok(overlap) => overlap,
        Err(faults) => return Ok(rotation(&call, &key, call.sent.values(), &faults)),
    };
    let services = call.services();
    let maker = services.key_maker.clone();
    let rotating = services.api_keys.rotate(call.ctx(), key.id, overlap, maker);
    Ok(match carried_out(rotating, told).await? {
        Ok(issued) => shown_once(&call, issued),
        Err(faults) => rotation(&call, &key, call.sent.values(), &faults),
    })
}

#[derive(Template)]
#[template(path = "settings/api_key.html", whitespace = "minimize")]
struct ShownOnce {
    say: Say,
    key: CopyField,
    curl: CopyField,
}

/// The only page on which a key's text is ever seen.
fn shown_once(call: &Call<Member>, issued: IssuedApiKey) -> Answer {
    let say = call.say();
    let IssuedApiKey { key, text } = issued;
    let path = Scope::EVERY.iter().find(|scope| key.scopes.allow(**scope));
    let path = path.map_or("products", |scope| sample(*scope));
    let url = call.public_url();
    let command = format!("curl -sS '{url}/api/v1/{path}' -H 'Authorization: Bearer {text}'");
    let body = ShownOnce {
        say,
        key: CopyField { id: "key", label: say.api_key().to_owned(), text },
        curl: CopyField { id: "curl", label: say.try_it().to_owned(), text: command },
    };
    let sheet = Sheet::new(key.name, &body).back(say.api_keys(), call.href(PATH));
    call.page(sheet.action(say.go_on(), call.href(PATH))).secret()
}

/// What a key with a scope can read.
const fn sample(scope: Scope) -> &'static str {
    match scope {
        Scope::Products | Scope::Inbox | Scope::Campaigns | Scope::Analytics => "products?limit=1",
        Scope::Orders => "orders?limit=1",
        Scope::Customers => "customers?limit=1",
        Scope::Leads => "crm/leads?limit=1",
        Scope::Deals => "crm/deals?limit=1",
        Scope::Invoices => "invoices?limit=1",
        Scope::Payments => "payments?limit=1",
        Scope::Webhooks => "webhooks",
        Scope::Warehouses => "warehouses",
    }
}

async fn ask_revoke(call: Call<Member>) -> Result<Answer, Failure> {
    let key = key(&call).await?;
    Ok(revocation(&call, &key, &[]))
}

fn revocation(call: &Call<Member>, key: &ApiKey, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let name = Field::text("name", say.type_the_name(&key.name), call.sent.values());
    let place = format!("{}/{}/revoke", call.href(PATH), key.id);
    let form = call.form(place, vec![name], say.revoke(), faults).dangerous();
    let body = Asked { text: say.revoke_intro(&key.last4), form: Markup::of(&form) };
    let sheet = Sheet::new(say.revoke_title(&key.name), &body).wrong_if(!faults.is_empty());
    call.page(sheet.back(say.api_keys(), call.href(PATH)))
}

async fn revoke(call: Call<Member>) -> Result<Answer, Failure> {
    let key = key(&call).await?;
    let typed = match call.read(&NAME)? {
        Ok(typed) => typed,
        Err(faults) => return Ok(revocation(&call, &key, &faults)),
    };
    if typed != key.name.trim() {
        let other =
            message!("This is not the name of the key.", "Ese no es el nombre de la clave.");
        return Ok(revocation(&call, &key, &[whole(other)]));
    }
    let revoking = call.services().api_keys.revoke(call.ctx(), key.id, None);
    Ok(match carried_out(revoking, told).await? {
        Ok(_) => call.done_at(PATH, "key.revoked"),
        Err(faults) => revocation(&call, &key, &faults),
    })
}
