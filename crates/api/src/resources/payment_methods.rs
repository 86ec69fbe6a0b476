//! `/payment-methods`: what can be paid how, and through whom.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::StatusCode;
use kernel::{Currency, Mode};
use payments::{
    Method, ProviderAccount, ProviderKind, Through, installments::is_for, provider::choose,
};

use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, query, taking},
    error::ApiError,
    reply::{answered, found},
};
use body::{MethodBody, MethodsBody};

const ALL: &str = "/payment-methods";

pub(super) fn endpoints() -> [Endpoint; 1] {
    [Endpoint::get(ALL, Scope::Payments, taking(query(forms::LIST), list))
        .summary("Get the payment methods")
        .describes(
            "What can be paid in a currency: each method with the provider that it is made through, the least and \
             largest amount, the installments that can be offered, and what the provider gives back. Cash and the like are always there; the `sandbox` is, \
             in a test account; other providers once they are set up.",
        )
        .answers::<MethodsBody>(200, "The methods.", examples::METHODS)]
}

async fn list(call: Call, currency: Currency) -> Result<Answer, ApiError> {
    let services = call.services();
    let account = found(services.accounts.account(call.account)).await?;
    let mode = if account.test_of.is_some() { Mode::Test } else { Mode::Live };
    let providers = answered(services.payments.providers(call.account)).await?;
    let rows = methods(mode, &providers, currency);
    Answer::json(StatusCode::OK, &MethodsBody::new(currency, rows))
}

/// Every method with each provider that an account can use for it.
fn methods(mode: Mode, providers: &[ProviderAccount], currency: Currency) -> Vec<MethodBody> {
    let is_usable = |kind: ProviderKind| match kind {
        ProviderKind::Manual => true,
        ProviderKind::Sandbox => mode == Mode::Test,
        kind => providers.iter().any(|provider| provider.kind == kind),
    };
    let of_method = |method: Method| {
        let chosen = choose(mode, None, method, providers).ok();
        let usable = ProviderKind::EVERY.iter().copied().filter(move |kind| is_usable(*kind));
        usable.filter_map(move |kind| {
            let capabilities = kind.capabilities(method, currency)?;
            let through = Through::of(kind, providers);
            let plans = if is_for(method, currency) { through.plans } else { Vec::new() };
            Some(MethodBody::new(method, kind, chosen == Some(kind), capabilities, &plans))
        })
    };
    Method::EVERY.iter().copied().flat_map(of_method).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(mode: Mode, currency: Currency) -> Vec<(Method, ProviderKind, bool)> {
        let rows = methods(mode, &[], currency);
        rows.iter().map(MethodBody::key).collect()
    }

    #[test]
    fn methods_depend_on_mode_and_currency() {
        let test = shown(Mode::Test, Currency::MXN);
        assert!(test.contains(&(Method::Card, ProviderKind::Sandbox, true)));
        assert!(test.contains(&(Method::Card, ProviderKind::Manual, false)));
        assert!(test.contains(&(Method::Oxxo, ProviderKind::Sandbox, true)));
        assert!(test.contains(&(Method::Cash, ProviderKind::Manual, true)));
        let dollars = shown(Mode::Test, Currency::parse("USD").unwrap());
        assert!(dollars.iter().all(|(method, ..)| *method != Method::Oxxo));
        let live = shown(Mode::Live, Currency::MXN);
        assert!(live.iter().all(|(_, provider, _)| *provider == ProviderKind::Manual));
        assert!(live.contains(&(Method::Card, ProviderKind::Manual, false)));
    }
}
