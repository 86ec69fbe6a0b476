//! The certification provider (PAC) that stamps for an account.

use intake::{
    Fields, Form,
    checks::{line, one_of, secret},
    noun,
};
use invoices::{
    ProviderChoice,
    issuer::{Secret, Simulate, SimulatedCancellation, SimulatedStamping, Wanted, resolved},
    provider::ProviderKind,
};
use kernel::{FieldFault, Mode};

use super::{PATH, WRITE, with_form};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::invoices::told::told,
    parts::Field,
    reply::{answered, concluded},
    texts::Say,
};

/// Maximum characters of a user, a password or a token.
const CREDENTIAL_CHARS_MAX: usize = 2_000;

const FORM: Form<Wanted> = Form::body("Provider", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Wanted> {
    let kind = fields.required("provider", one_of(ProviderKind::EVERY, ProviderKind::name));
    let user = fields.optional("user", line(CREDENTIAL_CHARS_MAX));
    let password = fields.optional("password", secret(CREDENTIAL_CHARS_MAX)).map(Secret);
    let token = fields.optional("token", secret(CREDENTIAL_CHARS_MAX)).map(Secret);
    let stamping = one_of(SimulatedStamping::EVERY, SimulatedStamping::name);
    let stamping = fields.optional("simulate.stamping", stamping).unwrap_or_default();
    let cancellation = one_of(SimulatedCancellation::EVERY, SimulatedCancellation::name);
    let cancellation = fields.optional("simulate.cancellation", cancellation).unwrap_or_default();
    let simulate = Simulate { stamping, cancellation };
    Some(Wanted { kind: kind?, user, password, token, simulate })
}

/// What a provider is called.
pub(in crate::pages) const fn kind_name(say: Say, kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::Sandbox => say.provider_sandbox(),
        ProviderKind::Sw => say.provider_sw(),
        ProviderKind::Finkok => say.provider_finkok(),
    }
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("settings/invoicing/provider", WRITE, show).grave(),
        Page::post("settings/invoicing/provider", WRITE, choose).grave(),
    ]
}

async fn choice(call: &Call<Member>) -> Result<ProviderChoice, Failure> {
    answered(call.services().issuers.provider(call.account())).await
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let choice = choice(&call).await?;
    let values = Values::with(&[
        ("provider", choice.kind.map_or("", ProviderKind::name)),
        ("user", choice.user.as_deref().unwrap_or_default()),
        ("simulate.stamping", choice.simulate.stamping.name()),
        ("simulate.cancellation", choice.simulate.cancellation.name()),
    ]);
    Ok(page(&call, &values, &[]))
}

fn page(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let is_test = call.who.entry.account.mode() == Mode::Test;
    let may_be = |kind: &&ProviderKind| (**kind == ProviderKind::Sandbox) == is_test;
    let kinds = ProviderKind::EVERY.iter().filter(may_be);
    let kinds = kinds.map(|kind| (kind.name().to_owned(), kind_name(say, *kind).to_owned()));
    let provider = Field::select("provider", say.provider(), kinds.collect(), values);
    let others = match is_test {
        true => vec![
            Field::select("simulate.stamping", say.simulated_stamping(), stampings(say), values)
                .hint(say.simulate_hint()),
            Field::select(
                "simulate.cancellation",
                say.simulated_cancellation(),
                cancellations(say),
                values,
            ),
        ],
        false => vec![
            Field::text("user", say.provider_user(), values).autocomplete("off"),
            Field::input("password", "password", say.provider_password(), values)
                .hint(say.provider_password_hint())
                .autocomplete("new-password"),
            Field::input("password", "token", say.provider_token(), values)
                .hint(say.provider_token_hint())
                .autocomplete("new-password"),
        ],
    };
    let fields = std::iter::once(provider).chain(others).collect();
    let place = format!("{}/provider", call.href(PATH));
    let form = call.form(place, fields, say.save(), faults);
    with_form(call, say.provider(), &form, faults)
}

fn stampings(say: Say) -> Vec<(String, String)> {
    let label = |one: SimulatedStamping| match one {
        SimulatedStamping::Normal => say.simulated_normal(),
        SimulatedStamping::Timeout => say.simulated_timeout(),
        SimulatedStamping::TimeoutAfterStamping => say.simulated_timeout_after(),
        SimulatedStamping::Unavailable => say.simulated_unavailable(),
    };
    let choice = |one: &SimulatedStamping| (one.name().to_owned(), label(*one).to_owned());
    SimulatedStamping::EVERY.iter().map(choice).collect()
}

fn cancellations(say: Say) -> Vec<(String, String)> {
    let label = |one: SimulatedCancellation| match one {
        SimulatedCancellation::Accept => say.simulated_accept(),
        SimulatedCancellation::Reject => say.simulated_reject(),
        SimulatedCancellation::Expire => say.simulated_expire(),
        SimulatedCancellation::Pending => say.simulated_pending(),
    };
    let choice = |one: &SimulatedCancellation| (one.name().to_owned(), label(*one).to_owned());
    SimulatedCancellation::EVERY.iter().map(choice).collect()
}

async fn choose(call: Call<Member>) -> Result<Answer, Failure> {
    let wanted = match call.read(&FORM)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(page(&call, call.sent.values(), &faults)),
    };
    let command = match resolved(wanted, &choice(&call).await?) {
        Ok(command) => command,
        Err(fault) => return Ok(page(&call, call.sent.values(), &[fault])),
    };
    let choosing = call.services().issuers.choose_provider(call.ctx(), command, None);
    Ok(match concluded(choosing, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "provider.chosen"),
        Err(faults) => page(&call, call.sent.values(), &faults),
    })
}
