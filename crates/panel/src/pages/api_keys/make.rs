//! Making a key: its name, what it may do, until when.

use accounts::{GrantApiKey, Scope, Scopes};
use askama::Template;
use intake::{
    Check, Fields, Form,
    checks::{flag, one_of, text, whole},
    noun,
};
use kernel::{FieldFault, Mode, Timestamp, message, text as words};

use super::{PATH, WRITE, shown_once, told};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    markup::Markup,
    page::Page,
    parts::{Choice, Field, Link},
    reply::carried_out,
    texts::Say,
};

const DAYS_MAX: i64 = 3_650;
const RATE_MAX: i64 = 1_000_000;
const DAY_SECONDS: i64 = 86_400;
/// Stands for every scope.
pub(super) const EVERY: &str = "*";

/// What a form says of a key.
struct Wanted {
    name: String,
    mode: Mode,
    scopes: Vec<String>,
    may_approve: bool,
    rate_per_hour: Option<i64>,
    days: Option<i64>,
}

const FORM: Form<Wanted> = Form::body("NewKey", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Wanted> {
    let name = fields.required("name", one_line());
    let mode = fields.change("mode", one_of(Mode::EVERY, Mode::name));
    let ticked = fields.entries("scopes", "scopes[…]", flag());
    let scopes: Vec<_> = ticked.into_iter().map(|(scope, _)| scope).collect();
    if scopes.is_empty() {
        let problem = message!("must include at least one", "deben incluir al menos uno");
        fields.refuse::<()>("scopes", problem);
    }
    let may_approve = fields.change("mayApprove", flag());
    let rate_per_hour = fields.optional("ratePerHour", whole(1..=RATE_MAX));
    let days = fields.optional("expiresInDays", whole(1..=DAYS_MAX));
    Some(Wanted {
        name: name?,
        mode: mode.unwrap_or(Mode::Live),
        scopes,
        may_approve: may_approve.unwrap_or_default(),
        rate_per_hour,
        days,
    })
}

fn one_line() -> impl Check<Value = String> {
    text(|text| words::line(text, accounts::grant::KEY_NAME_CHARS_MAX))
}

/// Scopes that go together, by the name of their preset.
const PRESETS: &[(&str, &[Scope])] = &[
    ("shop", &[Scope::Products, Scope::Orders, Scope::Customers, Scope::Payments]),
    ("invoicing", &[Scope::Orders, Scope::Customers, Scope::Invoices, Scope::Payments]),
    ("warehouse", &[Scope::Products, Scope::Orders, Scope::Warehouses]),
];

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("settings/api-keys/new", WRITE, show).grave(),
        Page::post("settings/api-keys/new", WRITE, create).grave(),
    ]
}

#[derive(Template)]
#[template(path = "settings/new_api_key.html", whitespace = "minimize")]
struct New {
    say: Say,
    presets: Vec<Link>,
    form: Markup,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(page(&call, &call.query, &[]))
}

fn page(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let place = call.href("settings/api-keys/new");
    let preset = values.get("preset");
    let preset = PRESETS.iter().find(|(name, _)| Some(*name) == preset).map(|(_, scopes)| *scopes);
    let scope = |scope: &Scope| {
        let name = format!("scopes[{scope}]");
        Choice {
            is_chosen: values.has(&name) || preset.is_some_and(|preset| preset.contains(scope)),
            hint: Some(about(say, *scope).to_owned()),
            ..Choice::new(name, scope.to_string())
        }
    };
    let every = Choice {
        is_chosen: values.has("scopes[*]"),
        hint: Some(say.scope_all().to_owned()),
        ..Choice::new("scopes[*]", say.every_scope_choice())
    };
    let choices = Scope::EVERY.iter().map(scope).chain([every]).collect();
    let mode = (call.who.entry.account.mode() == Mode::Live).then(|| {
        let modes = [("live", say.mode_live()), ("test", say.mode_test())];
        let modes = modes.map(|(name, label)| (name.to_owned(), label.to_owned()));
        Field::select("mode", say.mode(), modes.to_vec(), values).hint(say.mode_hint())
    });
    let name = Field::text("name", say.name(), values).hint(say.key_name_hint());
    let others = [
        Field::boxes("scopes", say.scopes(), choices)
            .subject(say.the_scopes())
            .hint(say.scopes_hint()),
        Field::tick("mayApprove", say.may_approve(), values).hint(say.may_approve_hint()),
        Field::input("number", "expiresInDays", say.expires_in_days(), values)
            .hint(say.expires_hint()),
        Field::input("number", "ratePerHour", say.rate_per_hour(), values).hint(say.rate_hint()),
    ];
    let fields = std::iter::once(name).chain(mode).chain(others).collect();
    let preset_link = |(name, _): &(&str, &[Scope])| {
        Link::new(preset_name(say, name), format!("{place}?preset={name}"))
    };
    let presets = PRESETS.iter().map(preset_link).collect();
    let form = call.form(place, fields, say.create_key(), faults);
    let body = New { say, presets, form: Markup::of(&form) };
    let sheet = Sheet::new(say.new_api_key(), &body).wrong_if(!faults.is_empty());
    call.page(sheet.back(say.api_keys(), call.href(PATH)))
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let wanted = match call.read(&FORM)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(page(&call, call.sent.values(), &faults)),
    };
    // A test account has test keys alone.
    let mode = match call.who.entry.account.mode() {
        Mode::Test => Mode::Test,
        Mode::Live => wanted.mode,
    };
    let command = match command(wanted, call.now()) {
        Ok(command) => command,
        Err(fault) => return Ok(page(&call, call.sent.values(), &[fault])),
    };
    let services = call.services();
    if mode == Mode::Test && call.who.entry.account.mode() == Mode::Live {
        let opening = services.test_accounts.open(call.account(), call.now());
        if let Err(faults) = carried_out(opening, |_| unopened()).await? {
            return Ok(page(&call, call.sent.values(), &faults));
        }
    }
    let maker = services.key_maker.clone();
    let granting = services.api_keys.grant(call.ctx(), mode, command, maker);
    Ok(match carried_out(granting, told).await? {
        Ok(issued) => shown_once(&call, issued),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(as_in_the_form).collect();
            page(&call, call.sent.values(), &faults)
        }
    })
}

/// Why there is no test account.
fn unopened() -> FieldFault {
    let problem = message!(
        "has to wait: the test account could not be opened; try again",
        "debe esperar: no se pudo abrir la cuenta de pruebas; intenta de nuevo"
    );
    FieldFault::new("mode", problem)
}

fn command(wanted: Wanted, now: Timestamp) -> Result<GrantApiKey, FieldFault> {
    let scopes = Scopes::parse(&wanted.scopes.join(","));
    let scopes = scopes.map_err(|_| {
        FieldFault::new("scopes", message!("must be scopes of the list", "deben ser de la lista"))
    })?;
    Ok(GrantApiKey {
        name: wanted.name,
        scopes,
        may_approve: wanted.may_approve,
        rate_per_hour: wanted.rate_per_hour.and_then(|rate| u32::try_from(rate).ok()),
        expires_at: wanted.days.map(|days| now.plus_seconds(days * DAY_SECONDS)),
    })
}

/// The form asks for days where the service knows a moment.
fn as_in_the_form(fault: FieldFault) -> FieldFault {
    match fault.field.as_str() {
        "expiresAt" => FieldFault { field: "expiresInDays".to_owned(), ..fault },
        _ => fault,
    }
}

fn preset_name(say: Say, name: &str) -> &'static str {
    match name {
        "shop" => say.preset_shop(),
        "invoicing" => say.preset_invoicing(),
        _ => say.preset_warehouse(),
    }
}

const fn about(say: Say, scope: Scope) -> &'static str {
    match scope {
        Scope::Products => say.scope_products(),
        Scope::Orders => say.scope_orders(),
        Scope::Customers => say.scope_customers(),
        Scope::Leads => say.scope_leads(),
        Scope::Deals => say.scope_deals(),
        Scope::Invoices => say.scope_invoices(),
        Scope::Inbox => say.scope_inbox(),
        Scope::Campaigns => say.scope_campaigns(),
        Scope::Payments => say.scope_payments(),
        Scope::Webhooks => say.scope_webhooks(),
        Scope::Analytics => say.scope_analytics(),
        Scope::Warehouses => say.scope_warehouses(),
    }
}
