//! Through whom payments are made, and how they are dealt with.

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::payment_forms;
use intake::{
    Fields, Form,
    checks::{above_zero, flag, one_of, secret, text, whole},
    noun,
};
use kernel::{Amount, FieldFault, Message, Mode, message};
use payments::{
    Credentials, InstallmentPlan, Method, PaymentError, PaymentSettings, ProviderAccount,
    ProviderKind, installments, service::SetProvider, settings::LatePayments,
};

use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::money,
    layout::Sheet,
    page::{Group, Page},
    pages::{
        money::{asking, method_name, provider_name, unpaid},
        reading::not_in_catalog,
    },
    parts::{Field, Link, Pill, Tone},
    reply::{answered, carried_out},
    texts::Say,
};

const READ: Right = Right::read(Scope::Payments);
/// Whoever answers for the money sets up where it comes from; whoever sells only takes it.
const WRITE: Right = Right::approve(Scope::Payments);
const PATH: &str = "settings/payments";
const KEY: &str = "secretKey";
const NOTIFICATION_SECRET: &str = "notificationSecret";
const PLANS: &str = "plans";
const FORMS: &str = "satPaymentForms";
/// Maximum characters of a key or secret.
const SECRET_CHARS_MAX: usize = 2_000;

/// Which installments are offered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plans {
    Documented,
    Own,
}

impl Plans {
    const EVERY: &'static [Self] = &[Self::Documented, Self::Own];

    const fn name(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::Own => "own",
        }
    }
}

/// What a form says of a provider.
struct Wanted {
    credentials: Option<Credentials>,
    is_default: bool,
    plans: Option<Plans>,
    own: Vec<(String, Amount)>,
    /// The version that it was filled in on; none of a provider that was not set up.
    version: Option<i64>,
}

const PROVIDER: Form<Wanted> =
    Form::body("PaymentProvider", noun("this form", "este formulario"), read, "");
const RULES: Form<(PaymentSettings, i64)> =
    Form::body("PaymentRules", noun("this form", "este formulario"), read_rules, "");

fn read_rules(fields: &mut Fields<'_>) -> Option<(PaymentSettings, i64)> {
    let late = one_of(LatePayments::EVERY, LatePayments::name);
    let late = fields.required("refundLatePayments", late);
    let forms = fields.entries(FORMS, "satPaymentForms[…]", text(known_form));
    let mut sat_forms = Vec::with_capacity(forms.len());
    for (name, form) in forms {
        match Method::EVERY.iter().find(|method| method.name() == name) {
            Some(method) => sat_forms.push((*method, form)),
            None => {
                let problem = message!("is no method", "no es un método");
                fields.refuse::<()>(&format!("{FORMS}[{name}]"), problem);
            }
        }
    }
    let version = fields.required("version", whole(0..=i64::MAX));
    let usual = PaymentSettings::default();
    Some((PaymentSettings { sat_forms, late_payments: late?, ..usual }, version?))
}

fn read(fields: &mut Fields<'_>) -> Option<Wanted> {
    let key = fields.optional(KEY, secret(SECRET_CHARS_MAX));
    let notification_secret = fields.optional(NOTIFICATION_SECRET, secret(SECRET_CHARS_MAX));
    let is_default = fields.optional("default", flag()).unwrap_or_default();
    let plans = fields.optional(PLANS, one_of(Plans::EVERY, Plans::name));
    let own = fields.entries("installments", "installments[…]", above_zero());
    let version = fields.optional("version", whole(ProviderAccount::NOT_SET_UP..=i64::MAX));
    let credentials = match (key, notification_secret) {
        (Some(key), notification_secret) => Some(Credentials { key, notification_secret }),
        (None, None) => None,
        (None, Some(_)) => {
            return fields.refuse(
                KEY,
                message!(
                    "is required: both are replaced together",
                    "es obligatoria: ambas se sustituyen juntas"
                ),
            );
        }
    };
    Some(Wanted { credentials, is_default, plans, own, version })
}

fn known_form(code: &str) -> Result<String, Message> {
    match payment_forms::find(code) {
        Some(form) if form.code != payment_forms::TO_BE_DEFINED => Ok(form.code.to_owned()),
        _ => Err(not_in_catalog()),
    }
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show)
            .listed(Group::Settings, "credit-card", Say::payment_settings)
            .key("9"),
        Page::get("settings/payments/rules", WRITE, ask_rules),
        Page::post("settings/payments/rules", WRITE, set_rules).card_free(),
        Page::get("settings/payments/providers/{provider}", WRITE, ask_provider).grave(),
        Page::post("settings/payments/providers/{provider}", WRITE, set_provider)
            .grave()
            .card_free(),
    ]
}

#[derive(Template)]
#[template(path = "payments/settings.html", whitespace = "minimize")]
struct Overview {
    say: Say,
    rules: Option<String>,
    late: &'static str,
    forms: Vec<(&'static str, String)>,
    providers: Vec<Line>,
}

struct Line {
    name: &'static str,
    /// Where it is set up, for who may.
    href: Option<String>,
    state: Pill,
    key: String,
    plans: String,
}

/// Providers that an account may have: what tries things out moves no money, and stays out of a live one.
fn offered(call: &Call<Member>) -> impl Iterator<Item = ProviderKind> + use<> {
    let is_live = call.who.entry.account.mode() == Mode::Live;
    let may_be = move |kind: &ProviderKind| !is_live || *kind != ProviderKind::Sandbox;
    ProviderKind::EVERY.iter().copied().filter(may_be)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let known = answered(services.payments.providers(account)).await?;
    let settings = answered(services.payments.settings(account)).await?;
    let may_write = call.may(WRITE);
    let line = |kind: ProviderKind| {
        let own = known.iter().find(|one| one.kind == kind);
        let end = own.and_then(|own| own.key_end.as_ref());
        Line {
            name: provider_name(say, kind),
            href: may_write.then(|| place(&call, kind)),
            state: match own.map(|own| own.is_default) {
                Some(true) => Pill::new(Tone::Good, say.default_provider()),
                Some(false) => Pill::new(Tone::Good, say.is_set_up()),
                // What is paid in hand needs nobody's keys.
                None if kind == ProviderKind::Manual => Pill::new(Tone::Good, say.always_ready()),
                None => Pill::new(Tone::Plain, say.not_set_up()),
            },
            key: end.map(|end| format!("…{end}")).unwrap_or_default(),
            plans: own.map(|own| months(own.plans())).unwrap_or_default(),
        }
    };
    let form = |(method, code): &(Method, String)| (method_name(say, *method), told(code));
    let body = Overview {
        say,
        rules: may_write.then(|| format!("{}/rules", call.href(PATH))),
        late: late_name(say, settings.late_payments),
        forms: settings.sat_forms.iter().map(form).collect(),
        providers: offered(&call).map(line).collect(),
    };
    Ok(call.page(Sheet::new(say.payment_settings(), &body)))
}

fn place(call: &Call<Member>, kind: ProviderKind) -> String {
    format!("{}/providers/{}", call.href(PATH), kind.name())
}

/// Numbers of months: `3, 6, 12`.
fn months(plans: &[InstallmentPlan]) -> String {
    plans.iter().map(|plan| plan.months.to_string()).collect::<Vec<_>>().join(", ")
}

/// A payment form of SAT, by its code and name.
fn told(code: &str) -> String {
    payment_forms::find(code).map_or_else(|| code.to_owned(), |row| format!("{code} {}", row.name))
}

/// What becomes of money that comes too late.
pub(in crate::pages) const fn late_name(say: Say, late: LatePayments) -> &'static str {
    match late {
        LatePayments::Manual => say.late_manual(),
        LatePayments::Auto => say.late_auto(),
    }
}

/// The rules as the form has them.
async fn rules_now(call: &Call<Member>) -> Result<Values, Failure> {
    let settings = answered(call.services().payments.settings(call.account())).await?;
    let names: Vec<String> =
        settings.sat_forms.iter().map(|(method, _)| form_field(*method)).collect();
    let version = settings.version.to_string();
    let mut values =
        vec![("refundLatePayments", settings.late_payments.name()), ("version", version.as_str())];
    let forms = settings.sat_forms.iter().map(|(_, form)| form.as_str());
    values.extend(names.iter().map(String::as_str).zip(forms));
    Ok(Values::with(&values))
}

async fn ask_rules(call: Call<Member>) -> Result<Answer, Failure> {
    let now = rules_now(&call).await?;
    Ok(rules(&call, &now, &now, &[]))
}

/// The field for the payment form of payments by a method.
fn form_field(method: Method) -> String {
    format!("{FORMS}[{}]", method.name())
}

fn rules(call: &Call<Member>, now: &Values, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let late = |late: &LatePayments| (late.name().to_owned(), late_name(say, *late).to_owned());
    let late = LatePayments::EVERY.iter().map(late).collect();
    let forms = || {
        let known = payment_forms::all().iter();
        let known = known.filter(|row| row.code != payment_forms::TO_BE_DEFINED);
        let known = known.map(|row| (row.code.to_owned(), told(row.code)));
        std::iter::once((String::new(), say.as_usual().to_owned())).chain(known).collect()
    };
    let form = |method: &Method| {
        let name = form_field(*method);
        Field::select(name, method_name(say, *method), forms(), values)
    };
    let fields = vec![
        Field::select("refundLatePayments", say.late_payments(), late, values),
        Field::group(FORMS, say.sat_payment_forms(), Method::EVERY.iter().map(form).collect())
            .hint(say.sat_payment_forms_hint()),
    ];
    let action = format!("{}/rules", call.href(PATH));
    let form = call.form(action, fields, say.save(), faults);
    let form = call.over(form, now);
    let back = Link::new(say.payment_settings(), call.href(PATH));
    let told = (say.payment_rules().to_owned(), say.payment_rules_intro().to_owned());
    asking(call, told, &form, faults, back)
}

async fn set_rules(call: Call<Member>) -> Result<Answer, Failure> {
    let (wanted, version) = match call.read(&RULES)? {
        Ok(given) => given,
        Err(faults) => {
            return Ok(rules(&call, &rules_now(&call).await?, call.sent.values(), &faults));
        }
    };
    let setting = call.services().payments.set_settings(call.ctx(), wanted, Some(version));
    Ok(match carried_out(setting, |error| unpaid(&error)).await? {
        Ok(_) => call.done_at(PATH, "saved"),
        Err(faults) => rules(&call, &rules_now(&call).await?, call.sent.values(), &faults),
    })
}

/// The provider of the path, and how the account has set it up.
async fn one(call: &Call<Member>) -> Result<(ProviderKind, Option<ProviderAccount>), Failure> {
    let named = call.parameter("provider");
    let kind = offered(call).find(|kind| kind.name() == named).ok_or(Failure::Nothing)?;
    let known = answered(call.services().payments.providers(call.account())).await?;
    Ok((kind, known.into_iter().find(|own| own.kind == kind)))
}

/// How a provider is set up, as the form has it.
fn values_of(kind: ProviderKind, own: Option<&ProviderAccount>) -> Values {
    let set = own.and_then(|own| own.installments.as_ref());
    let plans = if set.is_some() { Plans::Own } else { Plans::Documented };
    let shown = own.map_or_else(|| kind.documented_installments(), ProviderAccount::plans);
    let amounts: Vec<(String, String)> =
        shown.iter().map(|plan| (plan_field(plan.months), plan.min.to_string())).collect();
    let version = own.map_or(ProviderAccount::NOT_SET_UP, |own| own.version).to_string();
    let mut values = vec![(PLANS, plans.name())];
    values.extend(amounts.iter().map(|(name, amount)| (name.as_str(), amount.as_str())));
    values.push(("version", version.as_str()));
    let is_default = own.is_some_and(|own| own.is_default);
    values.extend(is_default.then_some(("default", "true")));
    Values::with(&values)
}

async fn ask_provider(call: Call<Member>) -> Result<Answer, Failure> {
    let (kind, own) = one(&call).await?;
    Ok(provider(&call, (kind, own.as_ref()), &values_of(kind, own.as_ref()), &[]))
}

/// The field for the least amount that is paid in so many months.
fn plan_field(months: u8) -> String {
    format!("installments[{months}]")
}

fn provider(
    call: &Call<Member>,
    (kind, own): (ProviderKind, Option<&ProviderAccount>),
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let end = own.and_then(|own| own.key_end.as_deref());
    let key_hint = end.map_or_else(|| say.secret_key_hint().to_owned(), |end| say.kept_key(end));
    let secrets = kind.needs_credentials().then(|| {
        [
            Field::input("password", KEY, say.secret_key(), values)
                .hint(key_hint)
                .autocomplete("new-password"),
            Field::input("password", NOTIFICATION_SECRET, say.notification_secret(), values)
                .hint(say.notification_secret_hint())
                .autocomplete("new-password"),
        ]
    });
    let documented = kind.documented_installments();
    let installments = (!documented.is_empty()).then(|| {
        let choices = [(Plans::Documented, say.plans_documented()), (Plans::Own, say.plans_own())];
        let choices = choices.map(|(one, label)| (one.name().to_owned(), label.to_owned()));
        let amount = |plan: &InstallmentPlan| {
            let least = money(plan.min, kernel::Currency::MXN);
            let label = say.in_months(u64::from(plan.months));
            Field::input("text", plan_field(plan.months), label, values).hint(say.usually(&least))
        };
        let amounts = documented.iter().map(amount).collect();
        [
            Field::select(PLANS, say.installments(), Vec::from(choices), values)
                .hint(say.installments_hint()),
            Field::group("installments", say.least_amounts(), amounts),
        ]
    });
    let fields = secrets.into_iter().flatten();
    let fields = fields.chain([Field::tick("default", say.is_default_provider(), values)]);
    let fields = fields.chain(installments.into_iter().flatten()).collect();
    let form = call.form(place(call, kind), fields, say.save(), faults);
    let form = call.over(form, &values_of(kind, own));
    let back = Link::new(say.payment_settings(), call.href(PATH));
    let told = (provider_name(say, kind).to_owned(), say.payment_provider_intro().to_owned());
    asking(call, told, &form, faults, back)
}

async fn set_provider(call: Call<Member>) -> Result<Answer, Failure> {
    let (kind, own) = one(&call).await?;
    let again =
        |faults: &[FieldFault]| provider(&call, (kind, own.as_ref()), call.sent.values(), faults);
    let wanted = match call.read(&PROVIDER)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(again(&faults)),
    };
    let installments = match plans(kind, &wanted) {
        Ok(plans) => plans,
        Err(fault) => return Ok(again(&[fault])),
    };
    if wanted.credentials.is_some() && !kind.needs_credentials() {
        return Err(Failure::Nothing);
    }
    let is_default = Some(wanted.is_default);
    let command = SetProvider { kind, credentials: wanted.credentials, is_default, installments };
    let setting = call.services().payments.set_provider(call.ctx(), command, wanted.version);
    Ok(match carried_out(setting, |error: PaymentError| unpaid(&error)).await? {
        Ok(_) => call.done_at(PATH, "saved"),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(here).collect();
            // Somebody else may have set it up since.
            let (kind, own) = one(&call).await?;
            provider(&call, (kind, own.as_ref()), call.sent.values(), &faults)
        }
    })
}

/// What is offered in installments from now on, if a form says anything of it.
fn plans(
    kind: ProviderKind,
    wanted: &Wanted,
) -> Result<Option<Option<Vec<InstallmentPlan>>>, FieldFault> {
    match wanted.plans {
        None => Ok(None),
        Some(Plans::Documented) => Ok(Some(None)),
        Some(Plans::Own) => {
            let plan = |(months, min): &(String, Amount)| {
                // No provider has plans of no months.
                InstallmentPlan { months: months.parse().unwrap_or_default(), min: *min }
            };
            let plans = wanted.own.iter().map(plan).collect();
            installments::settings(kind, plans).map(|plans| Some(Some(plans))).map_err(here)
        }
    }
}

/// A fault at the field of this form that it is about.
fn here(fault: FieldFault) -> FieldFault {
    match fault.field.as_str() {
        "key" => FieldFault::new(KEY, fault.problem),
        "installments" => FieldFault::new(PLANS, fault.problem),
        _ => fault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Sent;

    fn read_plans(kind: ProviderKind, body: &str) -> Result<Option<Option<String>>, String> {
        let wanted = Sent::of(body).read(&PROVIDER).map_err(|unreadable| unreadable.to_string())?;
        let plans = plans(kind, &wanted).map_err(|fault| fault.field)?;
        Ok(plans.map(|plans| plans.map(|plans| months(&plans))))
    }

    #[test]
    fn installments_are_as_documented_or_those_with_an_amount() {
        let own =
            "plans=own&installments%5B3%5D=300&installments%5B6%5D=&installments%5B12%5D=1500";
        for (kind, body, expected) in [
            (ProviderKind::Stripe, "plans=documented", Ok(Some(None))),
            (ProviderKind::Stripe, own, Ok(Some(Some("3, 12".to_owned())))),
            (ProviderKind::Stripe, "plans=own", Ok(Some(Some(String::new())))),
            (ProviderKind::Manual, "default=true", Ok(None)),
            (ProviderKind::Manual, own, Err(PLANS.to_owned())),
            (ProviderKind::Stripe, "plans=own&installments%5Bx%5D=1", Err(PLANS.to_owned())),
        ] {
            assert_eq!(read_plans(kind, body), expected, "{body}");
        }
    }

    #[test]
    fn a_secret_of_notifications_goes_with_a_key() {
        let read = |body: &str| Sent::of(body).read(&PROVIDER).map(|wanted| wanted.credentials);
        assert!(read("notificationSecret=s").is_err());
        assert!(read("secretKey=k&notificationSecret=s").unwrap().is_some());
        assert!(read("default=true&version=2").unwrap().is_none());
    }

    #[test]
    fn payment_forms_are_those_of_payments() {
        let read = |body: &str| Sent::of(body).read(&RULES).map(|(settings, _)| settings.sat_forms);
        let body = "refundLatePayments=auto&version=0&satPaymentForms%5Bcard%5D=";
        assert_eq!(read(&format!("{body}28")).unwrap(), [(Method::Card, "28".to_owned())]);
        assert!(read(body).unwrap().is_empty());
        assert!(read(&format!("{body}99")).is_err());
        assert!(read("refundLatePayments=auto&version=0&satPaymentForms%5Bgold%5D=01").is_err());
    }
}
